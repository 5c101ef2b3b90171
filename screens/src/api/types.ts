// Made by scripts/screen_types.py from the forms of the server; change those, and run it again.
// Times are microseconds since 1970, amounts whole minor units of the table's currency.

/** A command to a table; a second person may approve it at the same console. An approver who is not on duty there yet comes on duty first, in the post ``comes_as``. */
export interface TableCommandForm {
  command_id: string;
  command: TableCommand;
  authoriser?: Credentials | null;
  comes_as?: string | null;
}

/** Set up a table. */
export interface SetUpTable {
  type: 'set-up-table';
  setup: Setup;
  method?: Method | null;
}

/** The set-up of a table, fixed before it opens; at one for training nothing is real. */
export interface Setup {
  table: string;
  game: string;
  house: string;
  layout: string | null;
  positions: number;
  area: Area;
  device: Device;
  decks: number;
  terminal: boolean;
  face_down: boolean;
  automatic: Automatic[];
  limits: PostedLimit[];
  differential: number;
  training?: boolean;
}

/** The part of the floor a table stands on. */
export type Area = 'high-limit' | 'main-floor';

/** A device that cards are dealt from. */
export type Device = 'card-reading' | 'electronic' | 'plain';

/** Steps of the dealer that a table takes by itself: opening cards nobody squeezes, calling the result. */
export type Automatic = 'call' | 'expose';

/** The posted minimum and maximum of a wager, in minor units. */
export interface PostedLimit {
  wager: string;
  minimum: number;
  maximum: number;
}

/** The methods of dealing. */
export type Method = 'A' | 'B' | 'C';

/** Tick an item of the opening check list, or mark it as not needed. */
export interface TickEquipment {
  type: 'tick-equipment';
  item: string;
  needed?: boolean;
}

/** Record the regulator's confirmation of a document whose approval names another game. */
export interface RecordConfirmation {
  type: 'record-confirmation';
  reference: string;
  date: string;
}

/** Open the table. */
export interface OpenTable {
  type: 'open-table';
}

/** Pause the table. */
export interface PauseTable {
  type: 'pause-table';
  reason: string;
}

/** Let the table go on. */
export interface ResumeTable {
  type: 'resume-table';
}

/** Close the table. */
export interface CloseTable {
  type: 'close-table';
  reason: string;
}

/** Pause or close the table once the round under way is over, or at once between rounds. */
export interface StopAfterRound {
  type: 'stop-after-round';
  stop: Stop;
  reason: string;
}

/** A way in which play stops after a round. */
export type Stop = 'close' | 'pause';

/** Let the table play on after the round after all. */
export interface CancelStop {
  type: 'cancel-stop';
}

/** Give the table other limits from its next round on, and its next shoe other decks. */
export interface ChangeTable {
  type: 'change-table';
  change: TableChange;
}

/** The part of a set-up that can change at an open table: limits, and the decks of the next shoe. */
export interface TableChange {
  limits: PostedLimit[];
  differential: number;
  decks: number;
}

/** Come on duty at the table in a post. */
export interface ComeOnDuty {
  type: 'come-on-duty';
  person: string;
  post: string;
}

/** Leave the table. */
export interface GoOffDuty {
  type: 'go-off-duty';
  person: string;
}

/** Appoint a person to act in a post for a time. */
export interface AppointActing {
  type: 'appoint-acting';
  person: string;
  post: string;
  start: string;
  end: string;
}

/** Come to the table as a patron. */
export interface ComeToTable {
  type: 'come-to-table';
  patron: string;
  position?: number | null;
  seated?: boolean;
}

/** Leave the table as a patron. */
export interface LeaveTable {
  type: 'leave-table';
  patron: string;
}

/** Buy credits at a terminal; staff may have to say why. */
export interface BuyCredits {
  type: 'buy-credits';
  terminal: string;
  amount: number;
  reason?: string;
}

/** Cash out credits at a terminal; staff may have to say why, and the patron to confirm it. */
export interface CashOut {
  type: 'cash-out';
  terminal: string;
  amount: number;
  reason?: string;
}

/** Confirm at the terminal, or decline, what staff want to sell there or to cash out. */
export interface ConfirmCredits {
  type: 'confirm-credits';
  id: number;
  agrees: boolean;
}

/** Change the method of dealing. */
export interface ChangeMethod {
  type: 'change-method';
  method: Method;
}

/** Let fewer patrons share a playing area. */
export interface LimitOwners {
  type: 'limit-owners';
  most: number;
}

/** Load new cards into the dealing device. */
export interface LoadShoe {
  type: 'load-shoe';
  decks: number;
  jokers?: number;
  same_backs?: boolean;
  seal?: Seal | null;
  shuffle?: ShuffleRecord | null;
}

/** The record of a virtual shoe before its first wager. ``root`` binds every card at its position, ``content`` is the order, encrypted under a key. */
export interface Seal {
  root: string;
  cards: number;
  behind_cutting_card: number;
  key_id: string;
  content: string;
}

/** By which machine the cards of a shoe were shuffled: in which batch, when, and by whom. */
export interface ShuffleRecord {
  shuffler: string;
  batch: string;
  time: string;
  by: string;
}

/** Enter how many cards were counted at the end of a shoe: the discards and what is left in it. */
export interface CountCards {
  type: 'count-cards';
  cards: number;
}

/** Lay a sealed shoe open: its order as it was sealed, and the secret behind its salts in hexadecimal. */
export interface OpenShoe {
  type: 'open-shoe';
  order: Card[];
  secret: string;
}

/** One card; the suit is absent where nobody needs it. */
export interface Card {
  rank: Rank;
  suit?: Suit | null;
}

/** The thirteen ranks, ace first. ``point_value`` is what the card counts: ace one, two to nine their pips, ten and court cards nothing; ``text`` is the rank as printed in results: ``A``, ``2`` … ``10``, ``J``, ``Q``, ``K``. */
export type Rank = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13;

/** The four suits by their letter. */
export type Suit = 'C' | 'D' | 'H' | 'S';

/** Cut the cards. */
export interface CutCards {
  type: 'cut-cards';
  depth: number;
}

/** Burn cards before the first round of a shoe. */
export interface BurnCards {
  type: 'burn-cards';
  first?: Card | null;
}

/** Announce the next hand as the last of the shoe. */
export interface AnnounceLastHand {
  type: 'announce-last-hand';
}

/** Take control of the dealing device. */
export interface TakeDevice {
  type: 'take-device';
  patron: string;
}

/** Give up control of the dealing device. */
export interface GiveUpDevice {
  type: 'give-up-device';
  patron: string;
}

/** Let a patron draw without a wager. */
export interface PermitDrawing {
  type: 'permit-drawing';
  patron: string;
}

/** Let a patron, or somebody a patron names, squeeze. */
export interface PermitSqueeze {
  type: 'permit-squeeze';
  person: string;
}

/** Forbid a patron, or everybody, to squeeze in the round. */
export interface ForbidSqueeze {
  type: 'forbid-squeeze';
  patron?: string | null;
}

/** Ask to squeeze. */
export interface RequestSqueeze {
  type: 'request-squeeze';
  patron: string;
}

/** Call for wagers. */
export interface OpenBetting {
  type: 'open-betting';
}

/** Place a wager, or add to it; where nothing is said, in the money that the table takes. */
export interface PlaceWager {
  type: 'place-wager';
  patron: string;
  wager: string;
  amount: number;
  position?: number | null;
  money?: 'cash' | 'chips' | 'credits' | null;
  in_area?: boolean;
}

/** Take chips off a wager. */
export interface ReduceWager {
  type: 'reduce-wager';
  patron: string;
  wager: string;
  amount: number;
  position?: number | null;
}

/** Hold a wager whose chips may be counterfeit; without a wager it is money to buy chips or credits. */
export interface HoldMoney {
  type: 'hold-money';
  patron: string;
  wager?: string | null;
  position?: number | null;
  amount?: number;
}

/** Decide what becomes of money that is held, and say what was found. */
export interface DecideHeldMoney {
  type: 'decide-held-money';
  id: number;
  choice: 'hand-back' | 'release' | 'seize' | 'settle';
  found: string;
}

/** Record a wager that was placed in time and is found only now. ``was_pulled`` says that its chips were booked as taken away late by mistake. */
export interface FindWager {
  type: 'find-wager';
  patron: string;
  wager: string;
  amount: number;
  position?: number | null;
  was_pulled?: boolean;
  reason?: string;
}

/** Correct an amount that was entered by mistake to the wager that lay there in truth, or to none. Without ``to_wager`` nothing lay there; without ``to_patron`` it was the same patron's. */
export interface CorrectWager {
  type: 'correct-wager';
  patron: string;
  wager: string;
  amount: number;
  position?: number | null;
  to_patron?: string | null;
  to_wager?: string | null;
  to_position?: number | null;
  reason?: string;
}

/** Call an end to wagers. */
export interface CloseBetting {
  type: 'close-betting';
}

/** End wagers at once, because the only patron of a table that deals by itself wants the cards. */
export interface DealNow {
  type: 'deal-now';
  patron: string;
}

/** Ask patrons on the heavier hand to decrease their wagers. */
export interface AskToDecreaseWagers {
  type: 'ask-to-decrease-wagers';
}

/** Remove a wager, or part of it, to meet the differential. */
export interface RemoveWager {
  type: 'remove-wager';
  patron: string;
  wager: string;
  amount: number;
  position?: number | null;
}

/** Draw a card from the dealing device; ``by`` is the patron at the felt for whom staff enter it. ``hand`` is where the card was put; without it, it goes to the hand whose turn it is. The cards ``together`` came out at once with it. ``instead`` says that it really came where another was to come. ``at`` is its place among the cards of the round, as whoever entered it saw the table. */
export interface DrawCard {
  type: 'draw-card';
  card: Card | null;
  by?: string | null;
  hand?: Hand | null;
  together?: (Card | null)[];
  order_known?: boolean | null;
  instead?: boolean;
  at?: number | null;
}

/** The two hands of a round. */
export type Hand = 'banker' | 'player';

/** The cutting card came instead of a card. */
export interface SeeCuttingCard {
  type: 'see-cutting-card';
}

/** Pass a hand face down to a patron; ``instead`` says that it really went there, by mistake. */
export interface PassCards {
  type: 'pass-cards';
  hand: Hand;
  patron: string;
  instead?: boolean;
}

/** Say who handles a hand where the rules do not tell. */
export interface ChooseSqueezer {
  type: 'choose-squeezer';
  hand: Hand;
  patron: string;
}

/** Decline to handle a hand. */
export interface DeclineCards {
  type: 'decline-cards';
  hand: Hand;
  patron: string;
}

/** Say which hand is opened first. */
export interface ChooseRevealOrder {
  type: 'choose-reveal-order';
  first: Hand;
}

/** Look at the cards of a hand that one holds. */
export interface LookAtCards {
  type: 'look-at-cards';
  hand: Hand;
  patron: string;
}

/** Open the cards of a hand to the table; ``by`` is the patron at the felt for whom staff enter it. */
export interface ExposeCards {
  type: 'expose-cards';
  hand: Hand;
  cards?: Card[];
  by?: string | null;
}

/** Announce the point totals of the first four cards, as they were said. */
export interface AnnounceTotals {
  type: 'announce-totals';
  player: number;
  banker: number;
}

/** Call the outcome, with the point total of each hand where it was said. */
export interface CallOutcome {
  type: 'call-outcome';
  winner: Winner;
  player?: number | null;
  banker?: number | null;
}

/** How a round ends. */
export type Winner = 'banker' | 'player' | 'tie';

/** The dealing device signals its own result. */
export interface ReportDeviceResult {
  type: 'report-device-result';
  winner: Winner;
}

/** Begin the free hand that is due. */
export interface DealFreeHand {
  type: 'deal-free-hand';
}

/** Report that something went wrong. ``ahead`` is how many cards lie before the one that was seen in the dealing device; ``underpaid`` says that a wrong payment was too small; ``paying`` says that chips are still being taken and paid, so that the round lasts although it was called; ``dealt`` says that cards which came together were entered one by one and lie at the hands already. */
export interface ReportIrregularity {
  type: 'report-irregularity';
  situation: Situation;
  reconstructable?: boolean | null;
  order_known?: boolean | null;
  seen?: boolean | null;
  value_known?: boolean | null;
  cards?: (Card | null)[];
  ahead?: number;
  patron?: string | null;
  hand?: Hand | null;
  wager?: string | null;
  position?: number | null;
  amount?: number;
  underpaid?: boolean;
  previous_round?: boolean;
  paying?: boolean;
  dealt?: boolean;
  note?: string;
}

/** The situations that can arise at a table, in the order in which people look for them. */
export type Situation = 'burn-forgotten' | 'cards-together' | 'cutting-card-first' | 'device-reset' | 'differential-exceeded' | 'exposed-in-error' | 'exposed-in-movement' | 'extra-card' | 'face-up-card' | 'foreign-card' | 'late-wager' | 'late-withdrawal' | 'misdeal' | 'missing-card' | 'next-card-known' | 'not-covered' | 'not-delivered' | 'old-limit-mistake' | 'order-altered' | 'over-maximum' | 'patron-absent' | 'patron-left-with-cards' | 'power-failure' | 'too-few-cards' | 'unauthorised-banker-card' | 'unauthorised-player-card' | 'under-minimum' | 'unshuffled-cards' | 'wrong-call' | 'wrong-delivery' | 'wrong-display' | 'wrong-number-of-cards' | 'wrong-order' | 'wrong-payment';

/** Confirm the facts of an irregularity; without ``case`` of the one that came to light last. */
export interface ConfirmFacts {
  type: 'confirm-facts';
  case?: number | null;
}

/** Establish that what was reported is not so, and say what was found. */
export interface DisproveFacts {
  type: 'disprove-facts';
  found: string;
  case?: number | null;
}

/** Take one's own report back, before anybody has acted on it. */
export interface WithdrawReport {
  type: 'withdraw-report';
  case?: number | null;
}

/** Correct a card that was entered or read wrongly to the one that lies there, by its place in the order. Without ``round`` it is a card of the round under way, or of the last one. */
export interface CorrectCard {
  type: 'correct-card';
  number: number;
  card: Card;
  round?: number | null;
  reason?: string;
}

/** Make the ruling that an irregularity waits for; ``also`` adds decisions, a payment has its patron. ``case`` is the irregularity that it is about; without it, the one that is dealt with first. */
export interface Rule {
  type: 'rule';
  choice: string;
  text?: string;
  cards?: (Card | null)[];
  also?: string[];
  patron?: string | null;
  amount?: number;
  case?: number | null;
}

/** Answer an offer to withdraw. */
export interface AnswerOffer {
  type: 'answer-offer';
  patron: string;
  withdraw: boolean;
  wager?: string | null;
  position?: number | null;
  case?: number | null;
}

/** End an offer; wagers of patrons who have not answered stay in action. */
export interface EndOffer {
  type: 'end-offer';
  case?: number | null;
}

/** Set the next cards aside, their faces entered unseen by patrons. */
export interface ReserveCards {
  type: 'reserve-cards';
  cards: Card[];
  case?: number | null;
}

/** Enter which cards the sorted decks lack. */
export interface EnterSortedCards {
  type: 'enter-sorted-cards';
  lacking: Card[];
  case?: number | null;
}

/** Put equal cards from a complete deck in place of the missing ones. */
export interface SubstituteCards {
  type: 'substitute-cards';
  cards: Card[];
  case?: number | null;
}

/** Say whether the shoe goes on or new cards come: each patron who was offered it, or a post. */
export interface ChooseCards {
  type: 'choose-cards';
  replace: boolean;
  patron?: string | null;
}

/** Acknowledge what the record of a sequence gave alert of; ``act`` is the money that it moved, if any. */
export interface AcknowledgeAlert {
  type: 'acknowledge-alert';
  sequence: number;
  act?: number;
}

/** Give alarm. */
export interface RaiseAlarm {
  type: 'raise-alarm';
  kind: AlarmKind;
  card?: Card | null;
  other?: Card | null;
  number?: number;
}

/** An alarm that a dealing device, or a look at its cards, can give. */
export type AlarmKind = 'card-mismatch' | 'count-differs' | 'misread' | 'new-deck-order' | 'no-burn' | 'no-shuffle-record' | 'nobody-on-duty' | 'not-the-sealed-card' | 'other-card-came' | 'out-of-sequence' | 'reader-fault' | 'reader-silent' | 'repeats-itself' | 'repeats-last-shoe' | 'result-mismatch' | 'too-many-copies' | 'totals-not-announced' | 'unexpected-card' | 'wrong-composition' | 'wrong-shoe';

/** Dispute something: the ``round`` that it is about, zero for none, and the wager if it is about one. */
export interface OpenDispute {
  type: 'open-dispute';
  patron: string;
  about: string;
  round?: number;
  wager?: string | null;
}

/** Send a dispute to the next level. */
export interface EscalateDispute {
  type: 'escalate-dispute';
  id: number;
}

/** Take down a piece of information about a dispute, and the source that it counts for. */
export interface GatherInformation {
  type: 'gather-information';
  id: number;
  what: string;
  given_by: string;
  source?: string | null;
}

/** Inform surveillance of a dispute. */
export interface InformSurveillance {
  type: 'inform-surveillance';
  id: number;
}

/** Tell the patron in how many minutes to expect an answer; records before form 7 say it in words. */
export interface GiveTimeFrame {
  type: 'give-time-frame';
  id: number;
  time_frame?: string;
  minutes?: number;
}

/** Say why the patron cannot be told by when to expect an answer. */
export interface SayNoTimeFrame {
  type: 'say-no-time-frame';
  id: number;
  why: string;
}

/** Decide a dispute on the sources that were considered; others are not available, each for a reason. */
export interface DecideDispute {
  type: 'decide-dispute';
  id: number;
  decision: string;
  sources: string[];
  award?: number;
  unavailable?: UnavailableSource[];
}

/** A source that a decision could not consider, and the reason. */
export interface UnavailableSource {
  source: string;
  why: string;
}

/** Agree or disagree with a decision; ``confirmed_by`` is the patron who agreed, as staff say. */
export interface AnswerDecision {
  type: 'answer-decision';
  id: number;
  agrees: boolean;
  confirmed_by?: string | null;
}

/** Tell the inspector of a dispute that stays unresolved. */
export interface InformInspector {
  type: 'inform-inspector';
  id: number;
}

/** Pay what a dispute awards: to the patron's credits, or ``to`` somebody, and ``how``. */
export interface PayAward {
  type: 'pay-award';
  id: number;
  way: AwardWay;
  to?: string;
  how?: string;
}

/** How an award is paid: to the credits of the patron's terminal, or handed to somebody. */
export type AwardWay = 'credits' | 'payout';

/** Confirm that an award was received; ``confirmed_by`` is the patron who said so, as staff say. */
export interface ConfirmReceipt {
  type: 'confirm-receipt';
  id: number;
  confirmed_by?: string | null;
}

/** Tell the patron of the right to complain. */
export interface TellComplaintRight {
  type: 'tell-complaint-right';
  id: number;
}

/** File a formal complaint with somebody's help. */
export interface FileComplaint {
  type: 'file-complaint';
  id: number;
  text: string;
  helper: string;
}

/** Receive a formal complaint. */
export interface ReceiveComplaint {
  type: 'receive-complaint';
  id: number;
}

/** Answer a formal complaint, perhaps with money for the patron. */
export interface AnswerComplaint {
  type: 'answer-complaint';
  id: number;
  answer: string;
  award?: number;
}

/** Close a dispute. */
export interface CloseDispute {
  type: 'close-dispute';
  id: number;
}

/** Enter the chips that are counted in the tray before play. */
export interface CountOpener {
  type: 'count-opener';
  count: Pieces[];
}

/** Chips, or notes, of one value in minor units, and how many there are. */
export interface Pieces {
  value: number;
  number: number;
}

/** Bring chips from the cage to the table. */
export interface FillChips {
  type: 'fill-chips';
  count: Pieces[];
}

/** Send chips of the table back to the cage. */
export interface ReturnChips {
  type: 'return-chips';
  count: Pieces[];
}

/** Sell chips to a patron for cash, which goes into the drop box. */
export interface BuyChips {
  type: 'buy-chips';
  patron: string;
  amount: number;
  reason?: string;
}

/** Void a slip of the open inventory that was entered wrongly. */
export interface VoidSlip {
  type: 'void-slip';
  slip: number;
  reason: string;
}

/** Enter the chips that are counted in the tray after play. */
export interface CountCloser {
  type: 'count-closer';
  count: Pieces[];
}

/** Enter the notes that are counted in the drop box of an inventory that is closed. */
export interface CountDrop {
  type: 'count-drop';
  inventory: number;
  count: Pieces[];
}

/** A person's name with the password, and the code where there is a second factor. */
export interface Credentials {
  name: string;
  password: string;
  code?: string;
}

/** Signing in at a console. */
export interface SignInForm {
  credentials: Credentials;
  console?: string;
}

/** Giving oneself another password. */
export interface NewPasswordForm {
  credentials: Credentials;
  new: string;
}

/** The facts that were told so far; nothing where it was not asked, empty where it was left out. A card is nothing where nobody knows its face. */
export interface ToldFacts {
  situation: Situation;
  paying?: boolean | null;
  reconstructable?: boolean | null;
  order_known?: boolean | null;
  value_known?: boolean | null;
  seen?: boolean | null;
  previous_round?: boolean | null;
  underpaid?: boolean | null;
  dealt?: boolean | null;
  hand?: Hand | null;
  patron?: string | null;
  wager?: string | null;
  position?: number | null;
  amount?: number | null;
  cards?: (Card | null)[] | null;
  ahead?: number | null;
}

/** A command to the floor; a second person may stand behind it at the same console. With ``approver`` it is sent in that person's name, as the approval of a proposal is; with ``authoriser`` both people are recorded. */
export interface FloorCommandForm {
  command_id: string;
  command: FloorCommand;
  approver?: Credentials | null;
  authoriser?: Credentials | null;
}

/** Let a person sign in, in some posts. */
export interface AddPerson {
  type: 'add-person';
  name: string;
  posts: string[];
  password: string;
  second_factor?: Secret | null;
}

/** Something encrypted with a key of the floor. */
export interface Secret {
  key_id: string;
  content: string;
}

/** Give a person other posts. */
export interface ChangePosts {
  type: 'change-posts';
  name: string;
  posts: string[];
}

/** Give a person another password. */
export interface ChangePassword {
  type: 'change-password';
  name: string;
  password: string;
}

/** Give a person a second factor. */
export interface SetSecondFactor {
  type: 'set-second-factor';
  name: string;
  second_factor: Secret;
}

/** Let a person sign in no more, and end their sessions. */
export interface LockPerson {
  type: 'lock-person';
  name: string;
  reason: string;
}

/** Let a person sign in again. */
export interface UnlockPerson {
  type: 'unlock-person';
  name: string;
}

/** Open a session for a person whose password and second factor were right. */
export interface SignIn {
  type: 'sign-in';
  name: string;
  session: string;
  console: string;
  step?: number | null;
  address?: string;
}

/** Show who one is at a console without a session of one's own: to approve, or to go on after a rest. */
export interface ShowIdentity {
  type: 'show-identity';
  name: string;
  console: string;
  step?: number | null;
  address?: string;
}

/** Note that somebody could not sign in under a name. */
export interface FailSignIn {
  type: 'fail-sign-in';
  name: string;
  console: string;
}

/** End a session. */
export interface EndSession {
  type: 'end-session';
  session: string;
  reason: string;
}

/** Expect a terminal that will give a code; a known one is enrolled anew. */
export interface EnrolTerminal {
  type: 'enrol-terminal';
  terminal: string;
  table: string;
  code: string;
  code_ends: string;
  position?: number | null;
}

/** Be the terminal that a code was made for. */
export interface ClaimTerminal {
  type: 'claim-terminal';
  terminal: string;
  code: string;
  token: string;
}

/** Let patrons use a terminal. */
export interface EnableTerminal {
  type: 'enable-terminal';
  terminal: string;
}

/** Let patrons use a terminal no more. */
export interface DisableTerminal {
  type: 'disable-terminal';
  terminal: string;
  reason: string;
}

/** Let a patron use a terminal. */
export interface OpenPatronSession {
  type: 'open-patron-session';
  terminal: string;
  patron: string;
}

/** End a patron's use of a terminal. */
export interface ClosePatronSession {
  type: 'close-patron-session';
  terminal: string;
}

/** Propose a table, or another definition of one; a second person approves. */
export interface ProposeTable {
  type: 'propose-table';
  definition: TableDefinition;
}

/** The definition of a table on the floor: its set-up, who deals, from what, and by which clock. ``reader`` says what a card reader does that connects to it; without it none may. ``next_marks`` says whether the roads have the marks that come next. ``pit`` names the part of the floor in which it stands. */
export interface TableDefinition {
  setup: Setup;
  method?: Method | null;
  virtual_shoe?: boolean;
  automatic_dealer?: boolean;
  cutting_card?: number;
  reader?: ReaderRole | null;
  next_marks?: boolean;
  timers?: Timers;
  pit?: string;
}

/** The role of a card reader: its cards are dealt, or compared with those that the dealer enters. */
export type ReaderRole = 'checks' | 'deals';

/** How long things take at a table, in seconds; nought leaves a step to people. */
export interface Timers {
  betting?: number;
  warning?: number;
  card?: number;
  between?: number;
  offer?: number;
}

/** Approve what another person proposed. */
export interface ApproveProposal {
  type: 'approve-proposal';
  id: number;
}

/** Turn a proposal down, or take it back. */
export interface RejectProposal {
  type: 'reject-proposal';
  id: number;
}

/** Define tables, and the gaming day, as a floor file says; without one, that of the floor stays. */
export interface DefineTables {
  type: 'define-tables';
  file: string;
  digest: string;
  tables: TableDefinition[];
  day?: GamingDay | null;
}

/** The gaming day of a floor: its time zone, and when its shifts begin, the first of them with it. */
export interface GamingDay {
  zone: string;
  shifts?: string[];
}

/** Record where the streams end whose records were not signed; every later record is. */
export interface BeginSigning {
  type: 'begin-signing';
  ends: StreamEnd[];
}

/** The end of a stream: its last record, and the digest of that in hexadecimal. */
export interface StreamEnd {
  stream: string;
  sequence: number;
  digest: string;
}

/** Give up records that were marked and are lost, because the journal was restored from a backup. */
export interface AcceptRestore {
  type: 'accept-restore';
  reason: string;
  lost: StreamEnd[];
  kept: StreamEnd[];
}

/** Go by the rulebooks and houses of a shelf of one's own as they are by now. */
export interface AcceptShelf {
  type: 'accept-shelf';
  files: ShelfFile[];
}

/** A rulebook or house of a shelf of one's own, by its id, and the digest of its content. The id of a rulebook has the day from which it is in force. */
export interface ShelfFile {
  id: string;
  digest: string;
}

/** Record that the wall clock of a server was set, by so many microseconds; ``run`` names its process. */
export interface NoteClockStep {
  type: 'note-clock-step';
  microseconds: number;
  run: string;
}

/** Acknowledge that the wall clock of a server was set: ``at`` and ``run`` are those of the step. */
export interface AcknowledgeClockStep {
  type: 'acknowledge-clock-step';
  at: string;
  run: string;
}

/** Let a table, or with no name all of them, finish its round and take no other. */
export interface Disable {
  type: 'disable';
  reason: string;
  table?: string | null;
}

/** Let a table, or with no name the floor, take rounds again. */
export interface Enable {
  type: 'enable';
  table?: string | null;
}

/** Let another system in by a service account, for some days; the token is the digest of its secret. */
export interface AddAccount {
  type: 'add-account';
  name: string;
  scopes: Scope[];
  token: string;
  days: number;
}

/** A scope of service accounts: each opens one part of the server to another system. */
export type Scope = 'cards' | 'credits' | 'metrics' | 'records' | 'tables';

/** Let a service account in no more. */
export interface RevokeAccount {
  type: 'revoke-account';
  name: string;
  reason: string;
}

/** Post the feeds of all tables to a web address, from these places on. */
export interface AddWebhook {
  type: 'add-webhook';
  name: string;
  url: string;
  scopes: Scope[];
  secret: Secret;
  after: FeedPlace[];
}

/** A place in the feed of a table: the sequence of the last record that was delivered. */
export interface FeedPlace {
  table: string;
  sequence: number;
}

/** Post no more to a web address, and forget it. */
export interface RemoveWebhook {
  type: 'remove-webhook';
  name: string;
  reason: string;
}

/** Give up for now posting to an address that does not take anything. */
export interface StopWebhook {
  type: 'stop-webhook';
  name: string;
  reason: string;
  after: FeedPlace[];
}

/** Post again to an address, from the first record that it has not taken. */
export interface ResumeWebhook {
  type: 'resume-webhook';
  name: string;
}

/** Record how far the feeds were posted to an address. */
export interface NoteDelivered {
  type: 'note-delivered';
  name: string;
  after: FeedPlace[];
}

/** A person is to be let in, by whoever sends this and a second person at the same console. */
export interface PersonForm {
  name: string;
  posts: string[];
  password: string;
  authoriser: Credentials;
}

/** Another person gets a new password, by two people. */
export interface ResetPasswordForm {
  password: string;
  authoriser: Credentials;
}

/** Another person gets a new second factor, by two people. */
export interface RenewFactorForm {
  authoriser: Credentials;
}

/** A service account is to be made for some days, by whoever sends this and a second person. */
export interface AccountForm {
  name: string;
  scopes: Scope[];
  days: number;
  authoriser: Credentials;
}

/** A webhook is to be set up, by whoever sends this and a second person. */
export interface WebhookForm {
  name: string;
  url: string;
  scopes: Scope[];
  authoriser: Credentials;
}

/** A terminal is expected at a table, by whoever sends this and a second person at the same console. */
export interface EnrolForm {
  terminal: string;
  table: string;
  position?: number | null;
  authoriser?: Credentials | null;
}

/** A terminal gives its code. */
export interface ClaimForm {
  code: string;
}

/** A verification: of everything, or of the chain and the signatures alone. */
export interface VerifyForm {
  chain_only?: boolean;
}

/** A drill is begun under a game, in a post, at a level. */
export interface BeginDrillForm {
  drill: string;
  game: string;
  post: string;
  level?: Level;
}

/** The levels of a drill: something is said to have happened; it only happens; and all while dealing. */
export type Level = 1 | 2 | 3;

/** A command to the training table of a drill; a second person is named by the post alone. */
export interface DrillCommandForm {
  command_id: string;
  command: TableCommand;
  authoriser?: string | null;
}

/** A post is called to the training table. */
export interface CallPostForm {
  post: string;
}

/** Something goes wrong by chance at a game: any fault or one of them, by a new seed or by this one. */
export interface BeginFaultForm {
  game: string;
  post: string;
  level?: Level;
  what?: string | null;
  seed?: number | null;
}

/** An exercise in ordinary dealing is begun, of new rounds or of those that a seed stands for. */
export interface BeginExerciseForm {
  game: string;
  rounds?: number;
  seed?: number | null;
}

/** A question of an exercise is answered: by cards, by one of the choices, or by an amount. */
export interface AnswerForm {
  question: number;
  answer: string;
}

/** An exercise goes on from a question that is answered. */
export interface GoOnForm {
  question: number;
}

/** A table with a trainer is opened at a game; ``kind`` says who handles the cards. */
export interface OpenTrainerTableForm {
  game: string;
  kind?: TableKind;
}

/** The kinds of table that somebody can open with a trainer: by whom the cards are handled. */
export type TableKind = 'by-dealer' | 'by-patrons';

/** A trainer lets something go wrong; ``words`` are told to the trainee when it happens. */
export interface StrikeForm {
  fault: string;
  words?: string;
}

/** A browser becomes a terminal of the demonstration floor. */
export interface DemoSeatForm {
  terminal: string;
}

/** A table of the demonstration floor that was held or paused goes on. */
export interface DemoResumeForm {
  table: string;
}

/** Watch a table, from a sequence on where the socket had it before. */
export interface Watch {
  type: 'watch';
  table: string;
  after?: number | null;
}

/** Watch a table no more. */
export interface Unwatch {
  type: 'unwatch';
  table: string;
}

/** Watch the lobby. */
export interface WatchLobby {
  type: 'watch-lobby';
}

/** A command to a table, answered by ``accepted`` or ``refused`` with its id. */
export interface SendCommand {
  type: 'command';
  command_id: string;
  command: TableCommand;
  authoriser?: Credentials | null;
  comes_as?: string | null;
  table: string;
}

/** Asks for the time. */
export interface Ping {
  type: 'ping';
}

/** Something was recorded at a sequence; a receipt where chips or credits moved. */
export interface AcceptedAnswer {
  type: 'accepted';
  command_id: string;
  sequence: number;
  receipt: Receipt | null;
}

/** Says that a command was recorded. ``receipt`` is the number of its form; one without a number has form 1. The signature of form 2 is that of the commit group of the record: by ``group`` what the receipt says leads to the root that was signed. That of form 1 covers everything else in it. */
export interface Receipt {
  receipt: 1 | 2;
  table: string;
  sequence: number;
  command_id: string;
  actor: string;
  kind: string;
  says: string;
  at: number;
  digest: string;
  key_id: string;
  signature: string;
  group: GroupPlace | null;
}

/** The place of a leaf in the tree of its group, and the path to the root, nearest first. */
export interface GroupPlace {
  size: number;
  index: number;
  path: string[];
}

/** The asker as the server knows them. ``failures`` is how often somebody failed to sign in under their name since they did so last. */
export interface Me {
  kind: 'account' | 'guest' | 'staff' | 'terminal';
  name: string;
  posts: string[];
  table: string | null;
  position: number | null;
  patron: string | null;
  enabled: boolean;
  training: boolean;
  demo: boolean;
  failures: number;
  scopes: Scope[];
  now: number;
  version: string;
}

/** A session of somebody. */
export interface SessionLine {
  id: string;
  person: string;
  console: string;
  opened_at: string;
  idle: boolean;
}

/** The lobby. */
export interface TablesAnswer {
  tables: LobbyLine[];
}

/** A table in the lobby; ``road`` is the end of its big road, ``free_positions`` are those to sit at. */
export interface LobbyLine {
  table: string;
  game: string;
  name: string;
  currency: Currency;
  limits: LobbyLimits[];
  state: TableState;
  training: boolean;
  terminal: boolean;
  positions: number;
  free_positions: number[];
  shoe: number | null;
  statistics: Statistics;
  road: MiniMark[];
}

/** A currency by its code, and how many decimal places its amounts have. */
export interface Currency {
  code: string;
  exponent: number;
}

/** The lowest minimum and the highest maximum of a kind of wager. */
export interface LobbyLimits {
  kind: Kind;
  minimum: number;
  maximum: number;
}

/** Main wagers are on the two hands; every other wager is a side wager. */
export type Kind = 'main' | 'side';

/** How a table stands as the lobby says it. */
export type TableState = 'betting' | 'between-rounds' | 'dealing' | 'disabled' | 'paused' | 'shut' | 'stopped';

/** The counts of a shoe; ties do not end a run of a hand. */
export interface Statistics {
  rounds: number;
  player: number;
  banker: number;
  tie: number;
  player_pairs: number;
  banker_pairs: number;
  naturals: number;
  marks: MarkCount[];
  longest_player_run: number;
  longest_banker_run: number;
  longest_tie_run: number;
}

/** How often a special result came. */
export interface MarkCount {
  mark: string;
  count: number;
}

/** A mark of the mini road in its place, counted from zero at the top left. */
export interface MiniMark {
  row: number;
  column: number;
  winner: Winner;
  ties: number;
}

/** A table as the asker may see it, up to a sequence; ``until`` is how long patrons are waited for. */
export interface TableAnswer {
  table: string;
  sequence: number;
  now: number;
  clock: BettingClock | null;
  until: number | null;
  view: View;
}

/** When betting opened, when patrons are warned, and when it closes, in microseconds since 1970. */
export interface BettingClock {
  opened: number;
  warns: number;
  closes: number;
}

/** Everything that one viewer sees of a table; a section that is absent is not for this viewer. */
export interface View {
  setup: SetupSection;
  phase: PhaseSection;
  cards: CardsSection;
  totals: TotalsSection;
  outcome: OutcomeSection;
  shoe: ShoeSection;
  scoreboard: Scoreboard;
  rules?: RulesSection | null;
  desk?: DeskSection | null;
  running?: RunningSection | null;
  entries?: EntriesSection | null;
  settlement?: SettlementSection | null;
  wagers?: WagersSection | null;
  exposure?: ExposureSection | null;
  chips?: ChipsSection | null;
  people?: PeopleSection | null;
  disputes?: DisputesSection | null;
  balances?: BalancesSection | null;
  alerts?: AlertsSection | null;
  own?: OwnSection | null;
}

/** The set-up of the table; ``differential`` is absent where the document knows none. ``labels`` are what the layout has printed on it besides English, by language and wager. */
export interface SetupSection {
  table: string;
  game: string;
  name: string;
  rulebook: string;
  house: string;
  layout: string | null;
  labels: Record<string, Record<string, string>>;
  felt: FeltRows;
  positions: number;
  area: Area;
  decks: number;
  terminal: boolean;
  face_down: boolean;
  currency: Currency;
  unit: number;
  owners_per_area: number | null;
  differential: number | null;
  wagers: WagerOffered[];
  training: boolean;
}

/** The playing areas of one position row by row, those nearest to the patron last: wide, and narrow. */
export interface FeltRows {
  wide: string[][];
  narrow: string[][];
}

/** A wager with its posted limits in minor units, and its pays in order. */
export interface WagerOffered {
  id: string;
  name: string;
  kind: Kind;
  minimum: number;
  maximum: number;
  pays: Pay[];
  lost: string[];
}

/** The odds of a wager when all facts hold, with an example; without odds it stands off. */
export interface Pay {
  odds: string | null;
  when: Fact[];
  clauses: string[];
  example: Example;
}

/** A fact that a pay row asks for, and the values that it may have. */
export interface Fact {
  name: string;
  values: (string | number | boolean)[];
}

/** An example of a pay: a stake, the amount paid, and the commission that is kept of it. */
export interface Example {
  stake: number;
  paid: number;
  commission: number;
}

/** How far the table is and what it waits for. ``held`` says that it stood still while nobody served it, ``stopped`` that nothing is recorded at present, ``disabled`` that no new round begins, ``next_round`` which one takes wagers already and has not begun. */
export interface PhaseSection {
  phase: Phase;
  paused: boolean;
  held: boolean;
  stopped: boolean;
  disabled: boolean;
  round: number | null;
  next_round: number | null;
  free: boolean;
  last: boolean;
  method: Method | null;
  awaited: Awaited | null;
  case: CaseShown | null;
  offer: OfferShown | null;
  gap: Gap | null;
}

/** How far a table is. */
export type Phase = 'betting' | 'closed' | 'dealing' | 'idle' | 'outcome' | 'shut';

/** The next step as everybody may know it. ``why`` is the refusal that a shoe gives which is not ready, ``calls`` are alternatives of what to call. Play need not wait for what is ``optional``: a permission that a post may give. */
export interface Awaited {
  step: NextStep;
  hand: Hand | null;
  winner: Winner | null;
  post: string | null;
  why: string | null;
  optional: boolean;
  calls: string[];
  clauses: string[];
}

/** The steps that a table can wait for. */
export type NextStep = 'answers' | 'burn' | 'call' | 'card' | 'case' | 'check-equipment' | 'choose-squeezer' | 'close-betting' | 'count-opener' | 'free-hand' | 'meet-differential' | 'open-betting' | 'open-cards' | 'open-table' | 'pass-cards' | 'record-confirmation' | 'resume' | 'shoe' | 'squeeze';

/** An irregularity under way: what it waits for, and the post that must decide. */
export interface CaseShown {
  id: number;
  situation: Situation;
  cause: Cause | null;
  clause: string | null;
  steps: CaseStep[];
  waits: Wait | null;
  post: string | null;
}

/** A happening that the table notices by itself and that no clause covers. */
export type Cause = 'card-corrected' | 'card-during-a-case' | 'chips-before-the-call' | 'drawn-by-another' | 'fourth-card' | 'no-closing-call' | 'patron-not-asked' | 'patrons-disagree' | 'wager-too-many';

/** An effect of an irregularity as it is said, and whether it was carried out. */
export interface CaseStep {
  effect: string;
  says: Message;
  clauses: string[];
  done: boolean;
}

/** A sentence to be said, before it is said in a language. */
export interface Message {
  key: string;
  params: ([string, string | number])[];
}

/** A thing that an irregularity waits for. */
export type Wait = 'card-order' | 'confirmation' | 'decision' | 'permission' | 'reserved-cards' | 'sorted-cards' | 'substitutes';

/** An offer to withdraw wagers, and how many of those who were asked have answered. */
export interface OfferShown {
  wagers: Withdrawable;
  clause: string;
  asked: number;
  answered: number;
}

/** The wagers that a patron may take back: single ones, all or none, or all undecided ones or none. */
export type Withdrawable = 'all' | 'all-remaining' | 'single';

/** The differential that must be met before cards come. */
export interface Gap {
  gap: number;
  limit: number;
  heavier: Hand;
}

/** The cards in draw order, totals of hands that lie open, and which hands lie with a patron. ``drawing`` says who draws and who stands, as far as the open cards tell, ``announced`` that the totals of the first four cards were announced. */
export interface CardsSection {
  cards: CardShown[];
  player: number | null;
  banker: number | null;
  held: Hand[];
  first: Hand | null;
  drawing: DrawingSection[];
  announced: boolean;
}

/** A card before a hand; without a face it lies face down. */
export interface CardShown {
  hand: Hand;
  state: CardState;
  card: Card | null;
}

/** The knowledge of a card: nobody's, its holder's, or the table's. */
export type CardState = 'exposed' | 'face-down' | 'seen';

/** The step of a hand after the first four cards, on its total and by which clauses. */
export interface DrawingSection {
  hand: Hand;
  does: 'draws' | 'natural' | 'stands';
  total: number;
  clauses: string[];
}

/** The totals on the felt by kind of wager. */
export interface TotalsSection {
  totals: WagerTotal[];
}

/** All stakes on a kind of wager, and how many there are. */
export interface WagerTotal {
  wager: string;
  stake: number;
  wagers: number;
}

/** The round under way or the last one: its outcome once all cards lie open, and special results. */
export interface OutcomeSection {
  round: number | null;
  facts: Facts | null;
  called: Winner | null;
  marks: string[];
  void: boolean;
  ended: boolean;
}

/** The facts of a finished round that a pay row can ask for. */
export interface Facts {
  winner: Winner;
  player_total: number;
  banker_total: number;
  player_cards: number;
  banker_cards: number;
  third_cards: number;
  player_pair: boolean;
  banker_pair: boolean;
  pairs: Pairs;
}

/** How many hands hold a pair in their first two cards; ``twin`` is the same pair in both. */
export type Pairs = 'both' | 'none' | 'one' | 'twin';

/** The cards in use and what was announced of them: never how many are left, or which. ``seal`` is the root that binds a virtual shoe, published before its first wager. */
export interface ShoeSection {
  number: number | null;
  decks: number | null;
  seal: string | null;
  opened: boolean;
  cut: number | null;
  burned: number | null;
  rounds: number;
  rounds_left: number | null;
  last_announced: boolean;
  replace_by: string | null;
  doubted_by: string | null;
  patrons_choose: boolean;
  keep_by: string | null;
  free_hand_by: string | null;
}

/** All that a scoreboard shows of a shoe; ``next_marks`` where the floor wants them shown. */
export interface Scoreboard {
  bead_plate: RoadCellRoundShown[];
  big_road: BigRoad;
  big_eye_boy: DerivedRoad;
  small_road: DerivedRoad;
  cockroach_pig: DerivedRoad;
  statistics: Statistics;
  next_marks?: NextMarks | null;
}

/** A place in a grid of six rows, counted from zero at the top left, and what stands there. */
export interface RoadCellRoundShown {
  row: number;
  column: number;
  content: RoundShown;
}

/** A finished round as a scoreboard shows it; ``marks`` are the special results of its game. */
export interface RoundShown {
  winner: Winner;
  player_pair: boolean;
  banker_pair: boolean;
  natural: boolean;
  marks: string[];
}

/** The logical columns, the marks in their places, and how many ties came before any win. */
export interface BigRoad {
  runs: Run[];
  cells: RoadCellBigRoadMark[];
  leading_ties: number;
}

/** A logical column of the big road: one winner, as often in a row as it won, ties left out. */
export interface Run {
  winner: Winner;
  length: number;
}

/** A place in a grid of six rows, counted from zero at the top left, and what stands there. */
export interface RoadCellBigRoadMark {
  row: number;
  column: number;
  content: BigRoadMark;
}

/** A round won by a hand, its number in the shoe counted from one, and the ties that followed it. The first mark also carries the ties that came before it. */
export interface BigRoadMark {
  round: number;
  shown: RoundShown;
  ties: number;
}

/** The marks in order, and in their places: a new column at each change of colour. */
export interface DerivedRoad {
  marks: Colour[];
  cells: RoadCellColour[];
}

/** A mark of a derived road: red where the columns repeat a pattern, blue where they break it. */
export type Colour = 'blue' | 'red';

/** A place in a grid of six rows, counted from zero at the top left, and what stands there. */
export interface RoadCellColour {
  row: number;
  column: number;
  content: Colour;
}

/** The marks that come next in the derived roads, by the hand that wins. */
export interface NextMarks {
  banker: MarksNext;
  player: MarksNext;
}

/** The mark that each derived road gets if a hand wins the next round; nothing where it gets none. */
export interface MarksNext {
  big_eye_boy: Colour | null;
  small_road: Colour | null;
  cockroach_pig: Colour | null;
}

/** The powers of staff at this table by the document and the house; nobody has a power that is absent. ``posts`` are those of the house from the lowest up; ``stands_for`` has for each of them those whose holder may be asked to approve what belongs to it. */
export interface RulesSection {
  posts: string[];
  stands_for: Record<string, string[]>;
  equipment: EquipmentShown[];
  least_decks: number;
  most_decks: number;
  burn: string | null;
  cutting_card: string | null;
  methods: MethodShown[];
  permits_drawing: ByPost | null;
  seats: string | null;
  squeezed_on_request: string | null;
  permits_squeeze: ByPost | null;
  forbids_squeeze: ByPost | null;
  reveal_order: string | null;
  fewer_owners: ByPost | null;
  most_owners: number;
  removes_wagers: ByPost | null;
  settles_pro_rata: string | null;
  approval: ApprovalShown | null;
  decides_held: string;
  shuffle_record: boolean;
  situations: SituationShown[];
}

/** An item of the opening check list; one that is there if required may be marked as not needed. ``by`` is the post that ticks it, where not everybody does. */
export interface EquipmentShown {
  id: string;
  clause: string;
  if_required: boolean;
  by: string | null;
}

/** A method of dealing that this table can have, who chooses it, and who draws. */
export interface MethodShown {
  method: Method;
  by: ByPost;
  drawn_by: 'dealer' | 'patron';
}

/** A power of the document: the post that has it, and the clause. */
export interface ByPost {
  post: string;
  clause: string;
}

/** An approval that names another game, and the post that records the regulator's confirmation. */
export interface ApprovalShown {
  names: string;
  post: string;
  clause: string | null;
}

/** Something that can go wrong, and the clauses of the document about it. */
export interface SituationShown {
  situation: Situation;
  clauses: string[];
}

/** The facts for staff beside what everybody sees; cards waiting or set aside are counted, not named. ``cases`` are the open irregularities, ``dealt_with`` the closed ones of the round, ``doubtful`` closed ones that can still turn out not so, and ``duties`` what is owed; ``reported`` counts all irregularities that the table ever had. ``unnamed`` has a hand for each card whose face nobody has told, ``set_aside`` counts the cards that came out by mistake and ``aside`` says that the next card is not drawn from the shoe. ``cards_needed`` is how many cards the current case waits for, ``opens_first`` the hand to open before, ``possible`` what can be wrong, and ``cards_out`` are the cards that can be corrected. Those who are ``choosing`` have yet to say whether new cards come. */
export interface DeskSection {
  last_round: number;
  reported: number;
  pause_reason: string | null;
  stopped_reason: string | null;
  disabled_reason: string | null;
  patron: string | null;
  missing_equipment: string[];
  cases: OpenCase[];
  doubtful: OpenCase[];
  duties: Duty[];
  dealt_with: Irregular[];
  cards_out: CardOut[];
  holdings: Holding[];
  declined: Holding[];
  device_holder: string | null;
  drawing_permitted: string[];
  squeeze_permitted: string[];
  squeeze_requested: string[];
  squeeze_forbidden: boolean;
  squeeze_forbidden_to: string[];
  decrease_asked: boolean;
  decrease_unanswered: string[];
  choosing: string[];
  strays: number;
  set_aside: number;
  reserved: number;
  aside: boolean;
  unnamed: Hand[];
  cards_needed: number;
  opens_first: OpensFirst | null;
  possible: Situation[];
  confirmation: Confirmation | null;
  held: HeldShown[];
  counted: number | null;
}

/** An irregularity as staff see it; ``current`` is the one dealt with first, ``blocks`` holds play. What it waits for is ``answerable`` now, or only once the others before it are dealt with. ``by`` reported it, with ``second`` and a ``note``; nobody did where the table noticed it, and of what no rule covers ``cause`` says what it noticed. It ``can_be_withdrawn`` by those in ``withdrawn_by``, or by anybody where there is nobody in it, and ``can_be_disproved`` in the post ``disproved_by`` but ``not_disproved_by`` one person, in some cases by two people. Of the ``choices`` of the post those in ``decided_by_two`` need two people; ``excludes`` has for each choice the others that it cannot go with, and ``words`` what it does in this case. */
export interface OpenCase {
  id: number;
  situation: Situation;
  cause: Cause | null;
  clause: string | null;
  steps: CaseStep[];
  waits: Wait | null;
  post: string | null;
  by: string | null;
  second: string | null;
  note: string;
  patron: string | null;
  hand: Hand | null;
  wager: string | null;
  position: number | null;
  amount: number;
  current: boolean;
  answerable: boolean;
  blocks: boolean;
  offer: OfferEntries | null;
  can_be_withdrawn: boolean;
  withdrawn_by: string[];
  withdrawn_by_two: boolean;
  can_be_disproved: boolean;
  disproved_by: string;
  not_disproved_by: string;
  disproved_by_two: boolean;
  choices: string[];
  decided_by_two: string[];
  excludes: Record<string, string[]>;
  words: Record<string, Message>;
}

/** An offer to withdraw wagers as staff enter its answers; ``entered`` are answers that staff gave. ``withdrawable`` are the wagers that can go, by their numbers. */
export interface OfferEntries {
  wagers: Withdrawable;
  clause: string;
  asked: string[];
  answered: string[];
  entered: string[];
  withdrawable: number[];
}

/** Something that is owed: of which case, by which post, of whom, how many cards and how much. Where play may go on without it, it is ``optional``. */
export interface Duty {
  kind: DutyKind;
  clauses: string[];
  case: number | null;
  post: string | null;
  optional: boolean;
  patrons: Answerer[];
  hand: Hand | null;
  cards: number;
  amount: number;
}

/** The kinds of duty at a table, in the order in which they are done. */
export type DutyKind = 'ask-patrons' | 'ask-to-decrease' | 'burn' | 'choose-cards' | 'confirm-facts' | 'correct-payment' | 'decide' | 'find-whole' | 'free-hand' | 'inform-surveillance' | 'lower-wagers' | 'new-cards' | 'order-cards' | 'permit' | 'play-known-cards' | 'remove-wagers' | 'reserve-cards' | 'sort-cards' | 'substitute-cards';

/** A patron who is asked something, and whether the answer is there. */
export interface Answerer {
  patron: string;
  answered: boolean;
}

/** An irregularity of a round, and what came of it; it is ``unfounded`` where it was not so after all. ``note`` is the reason that was given with the report, and ``acts`` say who reported it and who had a word in it; both are for staff. */
export interface Irregular {
  case: number;
  sequence: number;
  situation: Situation;
  clause: string | null;
  cause: Cause | null;
  note: string;
  effects: string[];
  rulings: Ruling[];
  acts: CaseAct[];
  closed: boolean;
  unfounded: boolean;
}

/** A ruling, and what else was decided with it; why and by whom is for staff. */
export interface Ruling {
  choice: string;
  clauses: string[];
  also: string[];
  text: string | null;
  by: string | null;
  entered_by: string | null;
  second: string | null;
}

/** A statement about an irregularity and the person who made it, with a second person where two did. */
export interface CaseAct {
  kind: 'confirmed' | 'disproved' | 'reported' | 'withdrawn';
  by: string;
  second: string | null;
  text: string;
}

/** A card that came out, by the number under which it is corrected; at a hand that is its draw order. ``card`` is the face of one that lies aside or waits, where people told it. */
export interface CardOut {
  number: number;
  place: 'aside' | 'hand' | 'reserved' | 'waiting';
  hand: Hand | null;
  card: Card | null;
}

/** A hand that lies with a patron to be squeezed. */
export interface Holding {
  hand: Hand;
  patron: string;
}

/** A hand that is opened before cards are sorted: nobody took it along, and its faces are not known. */
export interface OpensFirst {
  hand: Hand;
  by: string | null;
  cards: number;
}

/** The regulator's confirmation that a document is approved although its approval names another game. */
export interface Confirmation {
  reference: string;
  date: string;
  by: string;
  second: string;
}

/** Money that is held as suspected, and what can be decided about it. */
export interface HeldShown {
  id: number;
  patron: string;
  amount: number;
  wager: string | null;
  position: number | null;
  choices: ('hand-back' | 'release' | 'seize' | 'settle')[];
}

/** How the table runs: a stop that is planned, a change that is to come, cards left, and its pace. It stands where it does ``since`` so many microseconds after 1970. ``per_hour`` counts the last rounds of the shoe, from the opening of the first to the end of the last. */
export interface RunningSection {
  stop: PlannedStop | null;
  pending: PendingChange | null;
  coming: ComingRulebook | null;
  since: number;
  cards_left: number | null;
  per_hour: number | null;
}

/** A stop after the round under way, who planned it, and why. */
export interface PlannedStop {
  stop: Stop;
  by: string;
  reason: string;
}

/** The definition that a table is to have and has not yet, as far as it differs. It takes effect at the next opening of betting, or ``anew`` once the table is closed. ``why_not`` is what keeps it from that. */
export interface PendingChange {
  anew: boolean;
  limits: PostedLimit[];
  differential: number | null;
  decks: number | null;
  positions: number | null;
  why_not: Refused | null;
}

/** One refusal as a value; ``clauses`` is empty only where no document speaks. */
export interface Refused {
  reason: Refusal;
  clauses: string[];
  params: ([string, string | number])[];
}

/** The reasons, in order of precedence: where several hold, the first one is given. */
export type Refusal = 'account-ended' | 'account-incomplete' | 'all-or-nothing' | 'amount-too-fine' | 'another-person-appoints' | 'another-person-needed' | 'approval-not-confirmed' | 'award-not-paid' | 'backs-must-be-alike' | 'betting-closed' | 'burn-owed' | 'burn-was-done' | 'call-was-right' | 'cannot-price' | 'card-faces-needed' | 'card-is-authorised' | 'card-is-the-other-hands' | 'card-reported-before' | 'card-undecided' | 'card-was-seen' | 'cards-are-face-up' | 'cards-are-left' | 'cards-in-doubt' | 'cards-not-cut' | 'cards-taken-along' | 'case-is-over' | 'chips-not-here' | 'chips-only' | 'choices-exclude-each-other' | 'command-id-used' | 'complaint-right-not-told' | 'confirmation-incomplete' | 'count-too-high' | 'credits-are-no-chips' | 'credits-not-here' | 'credits-remain' | 'credits-short' | 'cut-out-of-range' | 'dealer-only' | 'decided-the-dispute' | 'decision-needs-text' | 'decks-not-permitted' | 'device-not-suitable' | 'differential-is-met' | 'differential-must-be-met' | 'drawing-not-supplied' | 'earlier-rounds-stand' | 'entered-so' | 'equipment-unchecked' | 'evidence-not-gathered' | 'facts-needed' | 'free-hand-due' | 'free-hand-under-way' | 'hands-not-open' | 'has-no-wager' | 'heavier-hand-may-not-increase' | 'held-as-suspected' | 'helper-not-on-duty' | 'holds-no-cards' | 'inspector-not-informed' | 'irregularity-under-way' | 'jokers-not-permitted' | 'last-round-is-put-right' | 'layout-not-offered' | 'less-on-the-wager' | 'less-was-taken-away' | 'limit-not-possible' | 'limits-crossed' | 'limits-not-posted' | 'method-not-in-this-area' | 'method-not-offered' | 'money-is-held' | 'more-than-can-be-wrong' | 'more-than-was-paid' | 'name-taken' | 'new-cards-due' | 'no-acting-posts' | 'no-box-to-count' | 'no-card-due' | 'no-cards-loaded' | 'no-information-gathered' | 'no-late-withdrawal' | 'no-rulebook-in-force' | 'no-source-cited' | 'no-staff-present' | 'no-such-account' | 'no-such-address' | 'no-such-card' | 'no-such-choice' | 'no-such-dispute' | 'no-such-person' | 'no-such-piece' | 'no-such-post' | 'no-such-proposal' | 'no-such-receipt' | 'no-such-round' | 'no-such-session' | 'no-such-slip' | 'no-such-table' | 'no-such-terminal' | 'no-such-wager' | 'no-such-webhook' | 'no-wager-concerned' | 'nobody-was-to-have-it' | 'not-alone' | 'not-authorised' | 'not-awaited' | 'not-called' | 'not-for-accounts' | 'not-in-this-phase' | 'not-lacking' | 'not-on-heavier-hand' | 'not-permitted' | 'not-ready' | 'not-resolved' | 'not-signed-in' | 'not-staff' | 'not-the-drawer' | 'not-the-squeezer' | 'not-understood' | 'not-yet-in-force' | 'not-your-report' | 'not-yours' | 'nothing-changes' | 'nothing-counted' | 'nothing-is-held' | 'nothing-to-confirm' | 'nothing-to-put-right' | 'nothing-was-settled' | 'one-hand-only' | 'opened-the-dispute' | 'opener-is-counted' | 'opener-needed' | 'order-is-known' | 'order-needs-the-same-cards' | 'other-card-expected' | 'other-face-known' | 'other-place' | 'outside-playing-area' | 'over-maximum' | 'own-act' | 'own-interest' | 'owners-out-of-range' | 'paid-in-an-earlier-round' | 'paid-to-another' | 'paid-to-staff' | 'password-too-weak' | 'patron-has-answered' | 'patrons-choose-cards' | 'patrons-may-not-handle-cards' | 'patrons-not-answered' | 'payout-not-named' | 'person-locked' | 'playing-area-full' | 'position-needed' | 'positions-not-offered' | 'raise-too-high' | 'raise-was-allowed' | 'reason-needed' | 'records-not-whole' | 'request-too-large' | 'right-patron' | 'round-not-over' | 'scope-missing' | 'sealed-card' | 'seat-taken' | 'second-factor-needed' | 'second-person-needed' | 'session-idle' | 'shoe-is-kept' | 'shoe-not-opened' | 'shoe-played-out' | 'shuffle-on-record' | 'sign-in-failed' | 'source-is-there' | 'source-left-out' | 'squeeze-forbidden' | 'squeeze-too-late' | 'stake-not-positive' | 'stake-too-fine' | 'surveillance-not-informed' | 'table-closes' | 'table-disabled' | 'table-paused' | 'table-stopped' | 'taken-cards-untold' | 'terminal-disabled' | 'text-needed' | 'text-too-long' | 'time-frame-out-of-range' | 'time-without-offset' | 'too-few-cards' | 'too-many-cards' | 'too-many-credits' | 'too-many-disputes' | 'too-many-requests' | 'training-only' | 'under-minimum' | 'unfit-name' | 'unknown-patron' | 'unknown-position' | 'unknown-source' | 'value-is-known' | 'wager-already-decided' | 'wager-needed-to-draw' | 'wager-not-offered' | 'wagers-lie' | 'was-delivered' | 'was-not-passed' | 'webhook-not-possible' | 'worked-at-table' | 'wrong-code' | 'wrong-number-of-cards' | 'wrong-origin' | 'wrong-rulebook' | 'wrong-substitute';

/** A later version of a table's rulebook: from when it is in force, in microseconds, and what changes. */
export interface ComingRulebook {
  in_force: number;
  clauses: ChangedClause[];
}

/** A clause that is new in a version of a document, or says something else there. */
export interface ChangedClause {
  clause: string;
  says: string;
}

/** The entries that staff can make beside the next step. ``correctable`` are wagers whose entry two people can correct, and ``pulled`` those of which chips were booked as taken away late; ``overlooked`` says that chips can be entered which lay there in time. Patrons may lower the kinds in ``lowered``, and after closing each may raise those in ``raised``: whatever else changes then comes too late. ``hands`` can be given to a patron, and ``drawers`` may take the dealing device. ``squeezing`` is what can be said about a patron who wants to squeeze. ``totals`` can be announced, a ``cutting_card`` can come, and the device can have shown a ``device_result``. */
export interface EntriesSection {
  late_call: LateCall | null;
  correctable: WagerEntry[];
  pulled: WagerEntry[];
  overlooked: boolean;
  lowered: string[];
  raised: Record<string, string[]>;
  hands: HandToGive[];
  drawers: string[];
  squeezing: ('forbid' | 'permit' | 'request')[];
  totals: SaidTotals | null;
  cutting_card: boolean;
  device_result: boolean;
  alarms: AlarmKind[];
}

/** The closing call that was not made before the first card; ``calls`` are alternatives of its words. */
export interface LateCall {
  calls: string[];
  clause: string;
}

/** A wager that was entered; ``amount`` is what lies there, ``pulled`` was booked as taken away late. */
export interface WagerEntry {
  patron: string;
  wager: string;
  position: number | null;
  amount: number;
  pulled: number;
}

/** A hand that a post may give to one of these patrons, since the order of wagers names nobody. */
export interface HandToGive {
  hand: Hand;
  post: string;
  clause: string;
  patrons: string[];
}

/** The point totals of the first four cards, as they are to be announced. */
export interface SaidTotals {
  player: number;
  banker: number;
}

/** The last round in the order in which it is settled: what is undone, takes, what stays, pays; the sums. ``reversals`` say why something is undone, ``undone`` is what the tray gets by it. While a round whose settlement was taken back goes on, nothing is undone yet. ``balances`` says that what lay on the felt and what is owed is what was taken and what goes back. Lines that are ``due`` are done before the next step. */
export interface SettlementSection {
  round: number | null;
  due: boolean;
  void: boolean;
  reversals: ReversalShown[];
  lines: SettlementLine[];
  undone: number;
  taken: number;
  paid: number;
  back: number;
  owed: number;
  commission: number;
  balances: boolean;
}

/** Why a settlement was taken back: the card that was corrected, or the irregularity. */
export interface ReversalShown {
  number: number;
  card: number | null;
  situation: Situation | null;
  void: boolean;
  clauses: string[];
}

/** An act about a wager; ``back`` of its stake is its owner's, ``owed`` are chips that are gone. ``settlement`` counts the settlements of the round from zero, since one may be taken back: what was paid by it is taken back, what was taken is given back, by the ``reversal`` of that number. ``gone`` says that the patron had left by then. ``key`` tells the line from all others of the round, and ``undoes`` is the key of the line that it undoes. */
export interface SettlementLine {
  key: string;
  does: 'give-back' | 'leave' | 'pay' | 'take' | 'take-back';
  id: number;
  patron: string;
  position: number | null;
  wager: string;
  stake: number;
  taken: number;
  paid: number;
  back: number;
  owed: number;
  commission: number;
  odds: string | null;
  settlement: number;
  reversal: number | null;
  undoes: string | null;
  gone: boolean;
  clauses: string[];
}

/** Every wager that lies, and those of the last round as they were settled. Those in ``to_hold`` can be held as suspected. ``last`` are those of the round before, as they lay. */
export interface WagersSection {
  lying: PlacedWager[];
  settled: SettledWager[];
  to_hold: WagerEntry[];
  last: WagerEntry[];
}

/** A wager on its area; ``order`` says when it reached its amount, ``pulled`` what was taken away late. ``marked`` says that its patron was marked when it was placed: a stay may end before a settlement does. ``reached`` has the smaller amounts that it had before, each with its order. ``held`` is the suspicion for which its chips are with the staff: it stays in the round, and what it brings waits for the decision. */
export interface PlacedWager {
  id: number;
  patron: string;
  position: number | null;
  wager: string;
  stake: number;
  order: number;
  pulled: number;
  marked: boolean;
  reached: ([number, number])[];
  held: number;
}

/** A wager after settlement: what of it was in action, what was paid, taken and handed back. ``held`` is the suspicion that nothing of it is handed over for yet. */
export interface SettledWager {
  id: number;
  patron: string;
  position: number | null;
  wager: string;
  stake: number;
  in_action: number;
  result: string;
  back: number;
  odds: string | null;
  paid: number;
  taken: number;
  commission: number;
  rounded_over: number;
  rounded_of: number;
  pulled: number;
  held: number;
  clauses: string[];
}

/** The most that the house stands to lose by the wagers that lie there, for each winner that can come. ``worst`` is the highest of these; where no wagers lie there is nothing. */
export interface ExposureSection {
  lines: ExposureLine[];
  worst: ExposureLine | null;
}

/** The worst ending with a winner: what the house loses in all and by wager; below zero it wins. */
export interface ExposureLine {
  winner: Winner;
  loses: number;
  wagers: ExposedWager[];
}

/** All wagers of a kind, and what the house loses on them; below zero it wins. */
export interface ExposedWager {
  wager: string;
  loses: number;
}

/** The chips and the cash of a live table; nothing where none are counted. ``asks_opener`` says that no inventory is open; newest inventories and slips come first. Of the boxes, and of the inventory that is open, those in ``overdue`` were not counted by the end of their gaming day. */
export interface ChipsSection {
  values: number[];
  notes: number[];
  asks_opener: boolean;
  controls: ChipControl[];
  inventories: InventoryShown[];
  slips: Slip[];
  boxes: BoxShown[];
  overdue: OverdueBox[];
}

/** The post that one of two people must have for an act, and the one from a large amount on. */
export interface ChipControl {
  act: MoneyAct;
  post: string;
  large: number | null;
  large_post: string | null;
}

/** An act that moves money outside a round, or opens the way to it. */
export type MoneyAct = 'award' | 'award-payment' | 'buy-in' | 'cash-out' | 'closer' | 'correction' | 'credit' | 'drop-count' | 'fill' | 'found-wager' | 'opener' | 'payment' | 'ruling' | 'terminal';

/** An inventory in sums: it is open while it has no ``closer``. ``tray`` is what must lie in the tray, ``by_wagers`` what wagers and payments brought to it. The win by count and its ``difference`` to that are known with the closer; until the ``drop`` is counted, by the cash that patrons bought chips for. */
export interface InventoryShown {
  number: number;
  opener: number;
  fills: number;
  returns: number;
  cash: number;
  tray: number;
  by_wagers: number;
  closer: number | null;
  drop: number | null;
  win: number | null;
  difference: number | null;
}

/** A slip: what was counted or moved, by whom, and for which inventory. A count is held against what was ``expected``. It was made ``during`` an inventory; the cash of one is counted later. */
export interface Slip {
  recorded: Recorded;
  number: number;
  act: MoneyAct;
  inventory: number;
  during: number;
  amount: number;
  count: Pieces[];
  expected: number | null;
  patron: string | null;
  reason: string;
  by: string;
  second: string | null;
  voided: Voiding | null;
}

/** The sequence of a record, and its time in microseconds since 1970. */
export interface Recorded {
  sequence: number;
  wall_time: number;
}

/** The people who voided a slip, and their reason. */
export interface Voiding {
  recorded: Recorded;
  by: string;
  second: string;
  reason: string;
}

/** The drop box of an inventory that is closed, whose cash is still to be counted. */
export interface BoxShown {
  inventory: number;
  cash: number;
}

/** A drop box that nobody has counted in time: its inventory, and the end of its gaming day if known. */
export interface OverdueBox {
  inventory: number;
  since: number | null;
}

/** The people on duty, those who act in a post, and the patrons. ``on_duty`` has everybody who counts as staff here now, with their posts: their own, and those that they act in at present. */
export interface PeopleSection {
  staff: OnDuty[];
  acting: Acting[];
  patrons: Patron[];
  on_duty: Record<string, string[]>;
}

/** A member of staff and the post they hold. */
export interface OnDuty {
  person: string;
  post: string;
}

/** A person acting in a post from one instant until another. */
export interface Acting {
  person: string;
  post: string;
  start: string;
  end: string;
}

/** A patron; ``marked`` is the round of a wager under the minimum, ``gone`` one who left wagers lying. */
export interface Patron {
  name: string;
  position: number | null;
  seated: boolean;
  marked: number | null;
  gone: boolean;
}

/** The disputes at the table, and the procedure that holds for them. There are ``more``: the newest that wait for older ones to be closed, and the oldest that are over. */
export interface DisputesSection {
  disputes: DisputeShown[];
  rules: DisputeRules;
  more: number;
}

/** A dispute, and what is left to do about it in the order of the procedure. Of the sources those ``lacking`` cannot be considered, since what they need was not gathered. What is ``unpaid`` of the award is paid in one of the ``ways``. */
export interface DisputeShown {
  dispute: Dispute;
  due: DutyOfDispute[];
  lacking: string[];
  unpaid: number;
  ways: AwardWay[];
  may_complain: boolean;
}

/** A dispute with everything that must be there before it can be closed. ``round`` is the round that it is about, zero for none; of older records it is not known. ``opened_by`` is who opened it, the patron or staff. ``earlier_decision`` did not settle it at the first level. ``answer_entered_by`` are those of the staff who entered the answer; there are none if the patron gave it. ``given`` is what the round had given the patron when money was awarded, nothing if it was not settled yet; ``set_off`` is the unpaid part that a later settlement gives instead, ``taken_back`` the paid one. ``time_frame`` is a term in words, of older records; ``answer_by`` is the instant. Those who told surveillance, the inspector, or the patron of the right to complain are named as far as records say so. */
export interface Dispute {
  id: number;
  patron: string;
  about: string;
  step: DisputeStep;
  surveillance: boolean;
  time_frame: string | null;
  sources: string[];
  decision: string | null;
  agrees: boolean | null;
  right_told: boolean;
  round: number | null;
  shoe: number | null;
  wager: string | null;
  opened_by: string | null;
  escalated: boolean;
  escalated_by: string | null;
  information: Information[];
  no_time_frame: string | null;
  earlier_decision: string | null;
  unavailable: UnavailableSource[];
  decided_by: string | null;
  decided_second: string | null;
  inspector: boolean;
  complain_until: string | null;
  award: number;
  payments: AwardPayment[];
  complaint: Complaint | null;
  answer_entered_by: string[];
  answer_by: string | null;
  surveillance_by: string[];
  inspector_by: string[];
  right_told_by: string[];
  given: number | null;
  set_off: number;
  taken_back: number;
}

/** How far a dispute is. */
export type DisputeStep = 'closed' | 'decided' | 'escalated' | 'open';

/** A piece of information about a dispute: its content, who gave it, who took it, and its source. */
export interface Information {
  what: string;
  given_by: string;
  by: string;
  source: string | null;
}

/** Money of an award that was paid: who paid it, to whom and how, and whether the patron has it. */
export interface AwardPayment {
  amount: number;
  way: AwardWay;
  to: string;
  how: string;
  by: string;
  second: string | null;
  received: boolean;
}

/** A formal complaint: who helped to file it, who has received it, and the answer. ``filed_by`` is who of the staff filed it for the patron. */
export interface Complaint {
  text: string;
  helper: string;
  late: boolean;
  received_by: string | null;
  answer: string | null;
  answered_by: string | null;
  filed_by: string | null;
  answered_second: string | null;
}

/** Something that is left to do about a dispute, by which posts and clauses; the patron has no post. */
export interface DutyOfDispute {
  duty: DisputeDuty;
  posts: string[];
  clauses: string[];
}

/** Something that is left to do about a dispute. */
export type DisputeDuty = 'answer' | 'answer-complaint' | 'close' | 'decide' | 'escalate' | 'gather' | 'inspector' | 'pay' | 'receipt' | 'receive-complaint' | 'resolve' | 'surveillance' | 'tell-right' | 'time-frame';

/** The posts that take the steps of a dispute, and the clauses of each step; a house has no clauses. ``first_level`` resolves what it can, ``in_charge`` has what was escalated, ``complaints_to`` answers complaints. ``awards_paid_by`` is the post that the house names. */
export interface DisputeRules {
  first_level: DisputePower[];
  in_charge: DisputePower;
  complaints_to: DisputePower;
  awards_paid_by: DisputePower;
  sources: RegardedSource[];
  surveillance: boolean;
  inspector: boolean;
  complaint_days: number | null;
  taken: string[];
  escalated: string[];
  gathered: string[];
  surveillance_told: string[];
  time_frame: string[];
  regarded: string[];
  complaint_right: string[];
  complaint_help: string[];
}

/** A post that takes a step of a dispute, by a clause or, without one, by the house. */
export interface DisputePower {
  post: string;
  clauses: string[];
  or_above: boolean;
}

/** A source that a decision must have regard to, and what must have been gathered for it. */
export interface RegardedSource {
  id: string;
  clauses: string[];
  needs: 'both-parties' | 'piece' | null;
}

/** The credits of all terminals. */
export interface BalancesSection {
  balances: Balance[];
}

/** The credits of a terminal in minor units. */
export interface Balance {
  terminal: string;
  credits: number;
}

/** The alerts that somebody must see to, and the post that may acknowledge them. */
export interface AlertsSection {
  alerts: Alert[];
  post: string;
}

/** An alert by the record that gave it; ``post`` is who must decide ``case``, where somebody must. ``round`` is the one under way at that time, or the last one. ``act`` is the number of the money that moved outside a round: ``people`` moved the ``amount``, so many ``times`` by now, and somebody else acknowledges it. */
export interface Alert {
  recorded: Recorded;
  kind: AlertKind;
  what: Message;
  clauses: string[];
  post: string | null;
  case: number | null;
  acknowledged_by: string | null;
  act: number;
  amount: number;
  times: number;
  people: string[];
  round: number | null;
}

/** The kinds of alert, by what people are alerted to. */
export type AlertKind = 'alarm' | 'card-corrected' | 'chips-differ' | 'claim-booked' | 'complaint-filed' | 'device-mismatch' | 'differential-exceeded' | 'dispute-opened' | 'irregularity' | 'limit-breach' | 'money-held' | 'money-moved' | 'offer-open' | 'paid-by-one' | 'ruling-awaited' | 'slip-voided' | 'store-trouble' | 'wager-corrected' | 'wrong-call';

/** The section of one patron; ``squeeze`` are the hands that go to the patron next. ``may_deal_now`` where nobody else is waited for while betting is open; nothing where a person deals. ``may_take_device`` where the patron may take control of the dealing device. While a complaint may be filed, ``helpers`` are those on duty who can help with it. The patron is to confirm a ``request`` of staff to sell credits or to cash them out. */
export interface OwnSection {
  patron: string;
  here: boolean;
  position: number | null;
  seated: boolean;
  marked: number | null;
  credits: number | null;
  wagers: OwnWager[];
  hands: OwnHand[];
  squeeze: Hand[];
  may_request_squeeze: boolean;
  may_deal_now: boolean | null;
  may_take_device: boolean;
  controls_device: boolean;
  offer: OwnOffer | null;
  request: OwnRequest | null;
  last: OwnResult | null;
  disputes: OwnDispute[];
  helpers: OnDuty[];
}

/** A wager of the patron; ``withdrawable`` where the patron is asked whether it goes. */
export interface OwnWager {
  id: number;
  wager: string;
  position: number | null;
  stake: number;
  pulled: number;
  withdrawable: boolean;
}

/** A hand that lies with the patron; faces come once the patron looks. */
export interface OwnHand {
  hand: Hand;
  looked: boolean;
  cards: CardShown[];
}

/** A question to the patron, by an irregularity: withdraw or stay. */
export interface OwnOffer {
  wagers: Withdrawable;
  clause: string;
  answered: boolean;
  case: number;
}

/** Credits that staff want to sell to the patron or to cash out, which the patron is to confirm. */
export interface OwnRequest {
  id: number;
  act: MoneyAct;
  amount: number;
}

/** The result of the patron's wagers in the last round that had some. */
export interface OwnResult {
  round: number;
  winner: Winner | null;
  void: boolean;
  lines: OwnLine[];
  returned: Returned[];
}

/** A settled wager of the patron, and why it got what it got. */
export interface OwnLine {
  settled: SettledWager;
  why: Message;
}

/** A stake that went back because its round is void, as far as it lay there. */
export interface Returned {
  id: number;
  patron: string;
  position: number | null;
  wager: string;
  stake: number;
}

/** A dispute of the patron as far as the patron is told. ``unpaid`` of the award is still to be paid; ``to_confirm`` was paid, and the patron has not said so yet. Staff ``entered`` the answer, so that the patron can still give it in person; ``may_answer`` and ``may_complain`` say what the patron can do now. */
export interface OwnDispute {
  id: number;
  about: string;
  round: number | null;
  wager: string | null;
  step: DisputeStep;
  escalated: boolean;
  time_frame: string | null;
  answer_by: string | null;
  no_time_frame: string | null;
  decision: string | null;
  sources: string[];
  award: number;
  unpaid: number;
  to_confirm: number;
  agrees: boolean | null;
  entered: boolean;
  may_answer: boolean;
  may_complain: boolean;
  right_told: boolean;
  complain_until: string | null;
  complaint: string | null;
  complaint_received: boolean;
  complaint_answer: string | null;
}

/** The moments up to a sequence from which the next page goes on. */
export interface MessagesAnswer {
  sequence: number;
  moments: MomentAt[];
}

/** Something that happened, with the record it stands in and when that was. */
export interface MomentAt {
  sequence: number;
  at: number;
  what: Moment;
}

/** A table was set up. */
export interface TableSetUpMoment {
  kind: 'table-set-up';
  clauses?: string[];
  method?: Method | null;
  owners_per_area?: number | null;
}

/** An item of the opening check list was ticked, or marked as not needed. */
export interface EquipmentTickedMoment {
  kind: 'equipment-ticked';
  clauses?: string[];
  item: string;
  needed: boolean;
}

/** The regulator's confirmation was recorded, because the approval of the document names another game. */
export interface ApprovalConfirmedMoment {
  kind: 'approval-confirmed';
  clauses?: string[];
  reference: string;
  date: string;
  by: string;
  second: string;
}

/** The table was opened. */
export interface TableOpenedMoment {
  kind: 'table-opened';
  clauses?: string[];
}

/** The table was paused. */
export interface TablePausedMoment {
  kind: 'table-paused';
  clauses?: string[];
  reason?: string | null;
}

/** The table goes on. */
export interface TableResumedMoment {
  kind: 'table-resumed';
  clauses?: string[];
}

/** The table was closed. */
export interface TableClosedMoment {
  kind: 'table-closed';
  clauses?: string[];
  reason?: string | null;
}

/** The table is to be paused or closed once the round under way is over. */
export interface StopPlannedMoment {
  kind: 'stop-planned';
  clauses?: string[];
  stop: Stop;
  reason?: string | null;
  by?: string | null;
}

/** The table plays on after the round after all. */
export interface StopCancelledMoment {
  kind: 'stop-cancelled';
  clauses?: string[];
  by?: string | null;
}

/** The table is to have other limits from its next round on, and its next shoe other decks. */
export interface ChangePlannedMoment {
  kind: 'change-planned';
  clauses?: string[];
  change: TableChange;
}

/** The table has other limits or decks. */
export interface TableChangedMoment {
  kind: 'table-changed';
  clauses?: string[];
  change: TableChange;
}

/** A member of staff came on duty at the table. */
export interface StaffCameMoment {
  kind: 'staff-came';
  clauses?: string[];
  person: string;
  post: string;
}

/** A member of staff left the table. */
export interface StaffLeftMoment {
  kind: 'staff-left';
  clauses?: string[];
  person: string;
}

/** A person was appointed to act in a post for a time. */
export interface ActingAppointedMoment {
  kind: 'acting-appointed';
  clauses?: string[];
  person: string;
  post: string;
  start: string;
  end: string;
}

/** A patron came to the table, seated or standing. */
export interface PatronCameMoment {
  kind: 'patron-came';
  clauses?: string[];
  patron?: string | null;
  position?: number | null;
  seated: boolean;
}

/** A patron left the table. */
export interface PatronLeftMoment {
  kind: 'patron-left';
  clauses?: string[];
  patron: string;
}

/** Credits were bought at a terminal. */
export interface CreditsBoughtMoment {
  kind: 'credits-bought';
  clauses?: string[];
  terminal: string;
  amount: number;
  procedure: string;
}

/** Credits were cashed out at a terminal. */
export interface CreditsCashedOutMoment {
  kind: 'credits-cashed-out';
  clauses?: string[];
  terminal: string;
  amount: number;
  procedure: string;
}

/** Staff are to sell credits or to cash them out, once the patron confirms it at the terminal. */
export interface CreditsAskedMoment {
  kind: 'credits-asked';
  clauses?: string[];
  id: number;
  act: MoneyAct;
  terminal: string;
  amount: number;
  by?: string | null;
}

/** A patron does not confirm what staff were to sell or to cash out. */
export interface CreditsDeclinedMoment {
  kind: 'credits-declined';
  clauses?: string[];
  id: number;
  terminal: string;
}

/** The method of dealing was changed. */
export interface MethodChangedMoment {
  kind: 'method-changed';
  clauses?: string[];
  method: Method;
  by?: string | null;
}

/** Fewer patrons may share a playing area. */
export interface OwnersLimitedMoment {
  kind: 'owners-limited';
  clauses?: string[];
  most: number;
  by?: string | null;
}

/** Cards were loaded into the dealing device. */
export interface ShoeLoadedMoment {
  kind: 'shoe-loaded';
  clauses?: string[];
  number: number;
  decks: number;
  seal?: string | null;
}

/** The cards of a shoe were counted at its end; ``number`` is how many there should be. */
export interface CardsCountedMoment {
  kind: 'cards-counted';
  clauses?: string[];
  count: number;
  number: number;
  by: string;
}

/** The cards were cut. */
export interface CardsCutMoment {
  kind: 'cards-cut';
  clauses?: string[];
  depth: number;
  by?: string | null;
}

/** So many cards were burned. */
export interface CardsBurnedMoment {
  kind: 'cards-burned';
  clauses?: string[];
  count: number;
}

/** The next hand was announced as the last of the shoe. */
export interface LastHandAnnouncedMoment {
  kind: 'last-hand-announced';
  clauses?: string[];
}

/** A patron took control of the dealing device. */
export interface DeviceTakenMoment {
  kind: 'device-taken';
  clauses?: string[];
  patron?: string | null;
}

/** A patron no longer controls the dealing device. */
export interface DeviceReleasedMoment {
  kind: 'device-released';
  clauses?: string[];
  patron?: string | null;
}

/** A patron may draw cards without a wager. */
export interface DrawingPermittedMoment {
  kind: 'drawing-permitted';
  clauses?: string[];
  patron: string;
  by?: string | null;
}

/** A patron, or somebody a patron named, may squeeze. */
export interface SqueezePermittedMoment {
  kind: 'squeeze-permitted';
  clauses?: string[];
  person: string;
  by?: string | null;
}

/** A patron, or everybody, may not squeeze in this round. */
export interface SqueezeForbiddenMoment {
  kind: 'squeeze-forbidden';
  clauses?: string[];
  patron?: string | null;
  by?: string | null;
}

/** A patron asked to squeeze and may. */
export interface SqueezeRequestedMoment {
  kind: 'squeeze-requested';
  clauses?: string[];
  patron: string;
}

/** Wagers are taken. */
export interface BettingOpenedMoment {
  kind: 'betting-opened';
  clauses?: string[];
  call: string;
}

/** A round of play began. */
export interface RoundBeganMoment {
  kind: 'round-began';
  clauses?: string[];
  number: number;
  method?: Method | null;
  free: boolean;
  last: boolean;
}

/** A wager was placed or increased. */
export interface WagerPlacedMoment {
  kind: 'wager-placed';
  clauses?: string[];
  id: number;
  patron: string;
  position?: number | null;
  wager: string;
  amount: number;
  placed_by?: string | null;
}

/** A wager was decreased or withdrawn; ``amount`` goes back. */
export interface WagerReducedMoment {
  kind: 'wager-reduced';
  clauses?: string[];
  id: number;
  patron: string;
  wager: string;
  amount: number;
  by?: string | null;
}

/** Chips or cash are held because they may be counterfeit; surveillance is told. */
export interface MoneyHeldMoment {
  kind: 'money-held';
  clauses?: string[];
  id: number;
  patron: string;
  amount: number;
  wager?: string | null;
  by?: string | null;
  second?: string | null;
}

/** The record of a round was corrected: a wager of it that is held is settled otherwise, or cannot be. */
export interface HeldWagerJudgedMoment {
  kind: 'held-wager-judged';
  clauses?: string[];
  id: number;
  patron: string;
  settled?: SettledWager[] | null;
}

/** It was decided whether money that was held is a wager again, is settled, goes back or is seized. */
export interface HeldMoneyDecidedMoment {
  kind: 'held-money-decided';
  clauses?: string[];
  id: number;
  patron: string;
  amount: number;
  choice: string;
  settled?: SettledWager[] | null;
  found?: string | null;
  by?: string | null;
  second?: string | null;
}

/** A wager that had been placed in time was found only now. */
export interface WagerFoundMoment {
  kind: 'wager-found';
  clauses?: string[];
  id: number;
  patron: string;
  position?: number | null;
  wager: string;
  amount: number;
  by?: string | null;
  second?: string | null;
}

/** Chips that were not taken as a wager were handed back, by a clause or by a procedure of the house. */
export interface WagerHandedBackMoment {
  kind: 'wager-handed-back';
  clauses?: string[];
  patron: string;
  position?: number | null;
  wager: string;
  amount: number;
  why: string;
  procedure?: string | null;
}

/** A patron took chips away after closing; the wager stays in action. */
export interface WagerPulledLateMoment {
  kind: 'wager-pulled-late';
  clauses?: string[];
  id: number;
  patron: string;
  wager: string;
  amount: number;
}

/** No more wagers are taken. */
export interface BettingClosedMoment {
  kind: 'betting-closed';
  clauses?: string[];
  call?: string | null;
}

/** The table differential is exceeded. */
export interface DifferentialExceededMoment {
  kind: 'differential-exceeded';
  clauses?: string[];
  gap: number;
  limit: number;
  heavier: Hand;
}

/** Patrons on the heavier hand were asked to decrease their wagers. */
export interface DecreaseAskedMoment {
  kind: 'decrease-asked';
  clauses?: string[];
  heavier: Hand;
}

/** A patron who was asked to decrease has answered, or was ``silent`` until the time was ended. */
export interface DecreaseAnsweredMoment {
  kind: 'decrease-answered';
  clauses?: string[];
  patron: string;
  silent: boolean;
}

/** A patron wants new cards, or wants the shoe to go on; one who said nothing lets it go on. */
export interface CardsChosenMoment {
  kind: 'cards-chosen';
  clauses?: string[];
  patron: string;
}

/** A card was drawn for a hand. */
export interface CardDrawnMoment {
  kind: 'card-drawn';
  clauses?: string[];
  hand: Hand;
  state: CardState;
  card?: Card | null;
  by?: string | null;
}

/** Cards came out that no hand has by right, or in no clear order; they lie aside until it is decided. */
export interface CardsSetAsideMoment {
  kind: 'cards-set-aside';
  clauses?: string[];
  count: number;
  hand?: Hand | null;
  by?: string | null;
}

/** A card was seen while it lay in the dealing device. */
export interface CardSeenInShoeMoment {
  kind: 'card-seen-in-shoe';
  clauses?: string[];
}

/** The cutting card came and was put aside; ``at_start`` before the first card of a round. */
export interface CuttingCardSeenMoment {
  kind: 'cutting-card-seen';
  clauses?: string[];
  at_start: boolean;
  rounds_left: number;
}

/** A hand was passed face down to a patron. */
export interface CardsDeliveredMoment {
  kind: 'cards-delivered';
  clauses?: string[];
  hand: Hand;
  patron?: string | null;
}

/** The Dealer took a hand back from a patron who was not to have it. */
export interface CardsTakenBackMoment {
  kind: 'cards-taken-back';
  clauses?: string[];
  hand: Hand;
  patron?: string | null;
}

/** A patron declined to handle a hand. */
export interface CardsDeclinedMoment {
  kind: 'cards-declined';
  clauses?: string[];
  hand: Hand;
  patron?: string | null;
}

/** The Dealer chose which hand is opened first. */
export interface RevealOrderChosenMoment {
  kind: 'reveal-order-chosen';
  clauses?: string[];
  hand: Hand;
}

/** A hand was looked at by its holder, or was seen by somebody who is not told. */
export interface CardsSeenMoment {
  kind: 'cards-seen';
  clauses?: string[];
  hand: Hand;
  patron?: string | null;
}

/** Cards of a hand were opened to the table; one without a face stays as it lies. */
export interface CardsExposedMoment {
  kind: 'cards-exposed';
  clauses?: string[];
  hand: Hand;
  faces: (Card | null)[];
  by?: string | null;
}

/** All cards lie open and the outcome is known. */
export interface OutcomeKnownMoment {
  kind: 'outcome-known';
  clauses?: string[];
  facts: Facts;
}

/** The point totals of the first four cards were announced, as they were said. */
export interface TotalsAnnouncedMoment {
  kind: 'totals-announced';
  clauses?: string[];
  player: number;
  banker: number;
  by?: string | null;
}

/** The outcome was called, with the point total of each hand where it was said. */
export interface OutcomeCalledMoment {
  kind: 'outcome-called';
  clauses?: string[];
  winner: Winner;
  player?: number | null;
  banker?: number | null;
  by?: string | null;
}

/** The dealing device shows another result than the cards. */
export interface DeviceMismatchMoment {
  kind: 'device-mismatch';
  clauses?: string[];
  device: Winner;
  winner: Winner;
}

/** Every wager of the round was settled. */
export interface RoundSettledMoment {
  kind: 'round-settled';
  clauses?: string[];
  settled?: SettledWager[] | null;
}

/** A patron was marked for a wager under the minimum. */
export interface PatronMarkedMoment {
  kind: 'patron-marked';
  clauses?: string[];
  patron: string;
  round: number;
}

/** The round is void and every stake goes back, by a clause or by a procedure of the house. */
export interface RoundVoidedMoment {
  kind: 'round-voided';
  clauses?: string[];
  number: number;
  procedure?: string | null;
  returned?: Returned[] | null;
}

/** The round is over. */
export interface RoundEndedMoment {
  kind: 'round-ended';
  clauses?: string[];
  number: number;
}

/** The shoe is played out; new cards are due. */
export interface ShoeEndedMoment {
  kind: 'shoe-ended';
  clauses?: string[];
}

/** A sealed shoe was laid open; it is over. */
export interface ShoeOpenedMoment {
  kind: 'shoe-opened';
  clauses?: string[];
  number: number;
}

/** An irregularity was reported. */
export interface IrregularityReportedMoment {
  kind: 'irregularity-reported';
  clauses?: string[];
  case: number;
  situation: Situation;
  cause?: Cause | null;
  by?: string | null;
  second?: string | null;
  note?: string | null;
  patron?: string | null;
  hand?: Hand | null;
  amount?: number | null;
}

/** The facts of an irregularity were confirmed. */
export interface FactsConfirmedMoment {
  kind: 'facts-confirmed';
  clauses?: string[];
  by?: string | null;
  second?: string | null;
}

/** A report was disproved; the table goes on where it stood. */
export interface FactsDisprovedMoment {
  kind: 'facts-disproved';
  clauses?: string[];
  case: number;
  by?: string | null;
  second?: string | null;
  found?: string | null;
}

/** A report was taken back before anybody had acted on it. */
export interface ReportWithdrawnMoment {
  kind: 'report-withdrawn';
  clauses?: string[];
  case: number;
  by?: string | null;
  second?: string | null;
}

/** A card that was entered or read wrongly was corrected to the one that lies there, by two people. */
export interface CardCorrectedMoment {
  kind: 'card-corrected';
  clauses?: string[];
  round: number;
  number: number;
  by?: string | null;
  second?: string | null;
}

/** An irregularity waits for somebody. */
export interface CaseWaitsMoment {
  kind: 'case-waits';
  clauses?: string[];
  waits: Wait;
  post?: string | null;
}

/** A ruling was made by somebody whose post decides. */
export interface RulingMadeMoment {
  kind: 'ruling-made';
  clauses?: string[];
  choice: string;
  also: string[];
  text?: string | null;
  by?: string | null;
  person?: string | null;
  second?: string | null;
  patron?: string | null;
  amount?: number | null;
}

/** An effect of an irregularity was carried out; or not, since it was denied or came to nothing. */
export interface EffectCarriedOutMoment {
  kind: 'effect-carried-out';
  clauses?: string[];
  effect: string;
  done: boolean;
  statement: boolean;
  lapsed: boolean;
}

/** Patrons may withdraw wagers. */
export interface OfferOpenedMoment {
  kind: 'offer-opened';
  clauses?: string[];
  wagers: Withdrawable;
  asked?: string[] | null;
}

/** A patron answered an offer, or was ``silent`` until it was ended; ``by`` is who entered the answer. */
export interface OfferAnsweredMoment {
  kind: 'offer-answered';
  clauses?: string[];
  patron: string;
  withdrew: boolean;
  silent: boolean;
  by?: string | null;
}

/** An answer that staff had entered for a patron was taken back. */
export interface AnswerTakenBackMoment {
  kind: 'answer-taken-back';
  clauses?: string[];
  patron: string;
  by?: string | null;
  second?: string | null;
}

/** An offer ended. */
export interface OfferClosedMoment {
  kind: 'offer-closed';
  clauses?: string[];
}

/** The hands were laid again in the true order; ``dealt`` are all cards before the hands. */
export interface CardsReconstructedMoment {
  kind: 'cards-reconstructed';
  clauses?: string[];
  dealt: CardShown[];
}

/** The cards of the round went back in order. */
export interface CardsRetrievedMoment {
  kind: 'cards-retrieved';
  clauses?: string[];
}

/** Cards drawn in error wait for the next round. */
export interface StrayCardsKeptMoment {
  kind: 'stray-cards-kept';
  clauses?: string[];
  count: number;
}

/** A free hand is owed. */
export interface FreeHandDueMoment {
  kind: 'free-hand-due';
  clauses?: string[];
}

/** New cards must or may come, by a clause or by a procedure of the house. */
export interface CardReplacementDueMoment {
  kind: 'card-replacement-due';
  clauses?: string[];
  need: string;
}

/** Betting is open again until a second closing call. */
export interface BettingReopenedMoment {
  kind: 'betting-reopened';
  clauses?: string[];
}

/** Betting ends before a round has begun; the stakes have gone back. */
export interface BettingCancelledMoment {
  kind: 'betting-cancelled';
  clauses?: string[];
  procedure?: string | null;
}

/** Cards were set aside as possible third cards. */
export interface CardsReservedMoment {
  kind: 'cards-reserved';
  clauses?: string[];
  count: number;
}

/** The missing cards follow from all the others. */
export interface MissingCardsDeducedMoment {
  kind: 'missing-cards-deduced';
  clauses?: string[];
  count: number;
}

/** Equal cards took the place of the missing ones. */
export interface CardsSubstitutedMoment {
  kind: 'cards-substituted';
  clauses?: string[];
  dealt: CardShown[];
}

/** A settlement was taken back, entry by entry, to be made again. */
export interface SettlementReversedMoment {
  kind: 'settlement-reversed';
  clauses?: string[];
  settled?: SettledWager[] | null;
}

/** A reversal takes back money that is not there; the patron owes it. */
export interface ClaimBookedMoment {
  kind: 'claim-booked';
  clauses?: string[];
  patron: string;
  amount: number;
  procedure?: string | null;
}

/** A payment that was made by mistake is booked, so that it can be taken back, or because it stands. ``collected`` says that so much of a stake was taken too much, ``mistaken`` that a booking is taken out. */
export interface WrongPaymentFoundMoment {
  kind: 'wrong-payment-found';
  clauses?: string[];
  patron: string;
  amount: number;
  collected?: boolean;
  mistaken?: boolean;
}

/** A wrong payment was reversed; one that was too small has a negative amount. */
export interface PaymentCorrectedMoment {
  kind: 'payment-corrected';
  clauses?: string[];
  patron: string;
  amount: number;
  procedure?: string | null;
  by?: string | null;
  second?: string | null;
}

/** Money that was paid is claimed back, as a post decided; the patron owes it. */
export interface PaymentClaimedMoment {
  kind: 'payment-claimed';
  clauses?: string[];
  patron: string;
  amount: number;
  procedure?: string | null;
  by?: string | null;
  second?: string | null;
}

/** An irregularity is dealt with, or another one has made it pointless. */
export interface CaseClosedMoment {
  kind: 'case-closed';
  clauses?: string[];
  case: number;
  superseded_by?: number | null;
}

/** The alert or alarm of a record was acknowledged. */
export interface AlertAcknowledgedMoment {
  kind: 'alert-acknowledged';
  clauses?: string[];
  sequence: number;
  by: string;
}

/** Alarm was given; it is an alert that stays until it is acknowledged. */
export interface AlarmRaisedMoment {
  kind: 'alarm-raised';
  clauses?: string[];
  about: string;
  by: string;
}

/** A patron disputes something: the ``round`` that it is about, zero for none. */
export interface DisputeOpenedMoment {
  kind: 'dispute-opened';
  clauses?: string[];
  id: number;
  patron: string;
  about: string;
  round?: number | null;
  wager?: string | null;
  by?: string | null;
}

/** A dispute went to the next level. */
export interface DisputeEscalatedMoment {
  kind: 'dispute-escalated';
  clauses?: string[];
  id: number;
  by?: string | null;
  second?: string | null;
}

/** A piece of information about a dispute was taken down. */
export interface InformationGatheredMoment {
  kind: 'information-gathered';
  clauses?: string[];
  id: number;
  about: string;
  person: string;
  by: string;
  second?: string | null;
  source?: string | null;
}

/** Surveillance was informed of a dispute. */
export interface SurveillanceInformedMoment {
  kind: 'surveillance-informed';
  clauses?: string[];
  id: number;
  by: string;
  second?: string | null;
}

/** The patron was told by when to expect an answer. */
export interface TimeFrameGivenMoment {
  kind: 'time-frame-given';
  clauses?: string[];
  id: number;
  time_frame: string;
  until?: string | null;
  by?: string | null;
}

/** No time frame can be given to the patron, for a reason. */
export interface TimeFrameNotPossibleMoment {
  kind: 'time-frame-not-possible';
  clauses?: string[];
  id: number;
  why: string;
  by?: string | null;
}

/** A dispute was decided on the sources that were considered; others were not available. */
export interface DisputeDecidedMoment {
  kind: 'dispute-decided';
  clauses?: string[];
  id: number;
  decision: string;
  sources: string[];
  award: number;
  by?: string | null;
  second?: string | null;
  procedure?: string | null;
}

/** The patron agreed or disagreed with a decision; ``by`` and ``second`` of the staff entered it. */
export interface PatronAnsweredMoment {
  kind: 'patron-answered';
  clauses?: string[];
  id: number;
  agrees: boolean;
  by?: string | null;
  second?: string | null;
}

/** The inspector was told of a dispute that stays unresolved. */
export interface InspectorInformedMoment {
  kind: 'inspector-informed';
  clauses?: string[];
  id: number;
  by?: string | null;
  second?: string | null;
}

/** An award was paid: to the patron's credits, or handed to a ``person``, and ``how``. */
export interface AwardPaidMoment {
  kind: 'award-paid';
  clauses?: string[];
  id: number;
  patron: string;
  amount: number;
  way: string;
  person?: string | null;
  how?: string | null;
  by?: string | null;
  second?: string | null;
  procedure?: string | null;
}

/** An award that nobody had paid lapsed, as far as the round gives the patron more after all. */
export interface AwardSetOffMoment {
  kind: 'award-set-off';
  clauses?: string[];
  id: number;
  patron: string;
  amount: number;
  procedure?: string | null;
}

/** The patron confirmed having received an award, which is no consent to the decision. */
export interface ReceiptConfirmedMoment {
  kind: 'receipt-confirmed';
  clauses?: string[];
  id: number;
  patron: string;
  by?: string | null;
  second?: string | null;
}

/** The patron was told of the right to complain, and until when, where there is a term. */
export interface ComplaintRightToldMoment {
  kind: 'complaint-right-told';
  clauses?: string[];
  id: number;
  until?: string | null;
  by?: string | null;
}

/** A formal complaint was filed, with a ``helper``. */
export interface ComplaintFiledMoment {
  kind: 'complaint-filed';
  clauses?: string[];
  id: number;
  text: string;
  helper?: string | null;
  by?: string | null;
}

/** A formal complaint was received by the post that answers it. */
export interface ComplaintReceivedMoment {
  kind: 'complaint-received';
  clauses?: string[];
  id: number;
  by?: string | null;
  second?: string | null;
}

/** A formal complaint was answered, perhaps with money for the patron. */
export interface ComplaintAnsweredMoment {
  kind: 'complaint-answered';
  clauses?: string[];
  id: number;
  answer: string;
  award: number;
  by?: string | null;
  second?: string | null;
  procedure?: string | null;
}

/** A dispute was closed. */
export interface DisputeClosedMoment {
  kind: 'dispute-closed';
  clauses?: string[];
  id: number;
}

/** The chips in the tray were counted before play. */
export interface OpenerCountedMoment {
  kind: 'opener-counted';
  clauses?: string[];
  inventory: number;
  slip: number;
  amount: number;
  expected: number | null;
  by: string;
  second: string;
}

/** Chips came from the cage to the table. */
export interface ChipsFilledMoment {
  kind: 'chips-filled';
  clauses?: string[];
  slip: number;
  amount: number;
  by: string;
  second: string;
}

/** Chips went from the table to the cage. */
export interface ChipsReturnedMoment {
  kind: 'chips-returned';
  clauses?: string[];
  slip: number;
  amount: number;
  by: string;
  second: string;
}

/** A patron bought chips at the table for cash. */
export interface ChipsBoughtMoment {
  kind: 'chips-bought';
  clauses?: string[];
  slip: number;
  patron: string;
  amount: number;
  by: string;
  second: string | null;
}

/** A slip was voided. */
export interface SlipVoidedMoment {
  kind: 'slip-voided';
  clauses?: string[];
  slip: number;
  act: MoneyAct;
  amount: number;
  reason: string;
  by: string;
  second: string;
}

/** The chips in the tray were counted after play. */
export interface CloserCountedMoment {
  kind: 'closer-counted';
  clauses?: string[];
  inventory: number;
  slip: number;
  amount: number;
  expected: number;
  by: string;
  second: string;
}

/** The cash in the drop box of an inventory was counted. */
export interface DropCountedMoment {
  kind: 'drop-counted';
  clauses?: string[];
  inventory: number;
  slip: number;
  amount: number;
  expected: number;
  by: string;
  second: string;
}

/** Finished rounds as the asker may see them. */
export interface HistoryAnswer {
  rounds: RoundTold[];
}

/** A finished round, from its opening call to its end; ``bead`` is its place on the bead plate. */
export interface RoundTold {
  number: number;
  shoe: number;
  first: Recorded;
  last: Recorded;
  method: Method | null;
  free: boolean;
  last_hand: boolean;
  void: boolean;
  cards: CardShown[];
  facts: Facts | null;
  called: Winner | null;
  shown: RoundShown | null;
  bead: number | null;
  wagers: SettledWager[];
  returned: Returned[];
  irregularities: Irregular[];
}

/** The scoreboard as it stood after a round. */
export interface RoadsAnswer {
  round: number;
  scoreboard: Scoreboard;
}

/** The clauses of the rule document of a table. */
export interface ClausesAnswer {
  rulebook: string;
  clauses: ClauseSaid[];
}

/** A clause in plain words, and the term where it defines one. */
export interface ClauseSaid {
  clause: string;
  says: string;
  term: string | null;
}

/** The meters of a table, of its patrons or terminals, and of its kinds of wager. They begin with the first record of the table, ``since``, and go up to the time of the answer, ``until``. */
export interface MetersAnswer {
  table: Meter;
  patrons: Record<string, Meter>;
  wagers: Record<string, Meter>;
  since: number;
  until: number;
}

/** Sums in minor units, and how many rounds were settled; credits or chips were ``bought``. ``lying`` is on the felt by now, ``played`` was in action, ``claimed`` is owed by a patron, ``mistaken`` was paid wrongly and not taken back, ``awarded`` was decided in disputes; of it ``credited`` was paid to credits and ``paid_out`` by hand. ``held`` is held as suspected or was kept. Patrons ``won`` and ``lost`` by settlements. */
export interface Meter {
  bought: number;
  cashed_out: number;
  lying: number;
  played: number;
  won: number;
  lost: number;
  commission: number;
  void: number;
  claimed: number;
  mistaken: number;
  awarded: number;
  credited: number;
  paid_out: number;
  held: number;
  rounds: number;
  void_rounds: number;
}

/** The meters of all tables, up to the time of the answer. */
export interface AllMetersAnswer {
  tables: TableMeter[];
  until: number;
}

/** The meter of one table, from its first record on. */
export interface TableMeter {
  table: string;
  currency: Currency;
  since: number;
  meter: Meter;
}

/** The next question; cards have a number, may be in the order of drawing, faces may be ``unknown``. The ``wagers`` are those of earlier rounds that it can be about. */
export interface Question {
  type: 'question';
  ask: Ask;
  optional: boolean;
  least: number;
  most: number;
  ordered: boolean;
  unknown: boolean;
  wagers: SettledWager[];
}

/** The questions that can be asked; the first eight are answered with yes or no. */
export type Ask = 'ahead' | 'amount' | 'cards' | 'dealt' | 'hand' | 'order_known' | 'patron' | 'paying' | 'previous_round' | 'reconstructable' | 'seen' | 'underpaid' | 'value_known' | 'wager';

/** The requirements of the rulebook, step by step; ``refused`` is why it cannot be reported as things are. Without a row of the rulebook it is not ``covered``; ``confirmed_by`` must confirm the facts first. Where ``two_people`` must stand for the report, somebody else approves it. Some are taken only with ``words``. */
export interface Required {
  type: 'required';
  situation: Situation;
  covered: boolean;
  clause: string | null;
  when: Fact[];
  confirmed_by: string | null;
  steps: RequiredStep[];
  two_people: boolean;
  words: boolean;
  refused: Message | null;
}

/** An effect as it is said, its clauses, who decides it where somebody does, and among what. ``words`` say what each of the ``choices`` does in this case. */
export interface RequiredStep {
  effect: string;
  says: Message;
  clauses: string[];
  by: Decider | null;
  choices: string[];
  words: Message[];
}

/** The post that decides, or must be there. */
export interface Decider {
  post: string;
  or_above: boolean;
  present: boolean;
}

/** The alerts that somebody must see to, table by table. */
export interface AlertsAnswer {
  tables: TableAlerts[];
}

/** The alerts of one table, and the drop boxes that nobody has counted in time. */
export interface TableAlerts {
  table: string;
  alerts: Alert[];
  overdue: OverdueBox[];
}

/** The floor as staff see it; ``posts`` are those that a person can be given. ``changes_people`` says whether the asker may change who can sign in; ``clock_steps`` are the last times that the clock of a server was set. */
export interface FloorAnswer {
  tables: TableDefinition[];
  proposals: Proposal[];
  disabled: Disabled[];
  posts: string[];
  changes_people: boolean;
  records: RecordsState;
  clock_steps: ClockStep[];
}

/** A table's definition that waits for a second person. */
export interface Proposal {
  id: number;
  by: string;
  definition: TableDefinition;
}

/** Something that takes no new round or sign-in: a table, or with no name the whole floor. */
export interface Disabled {
  table: string | null;
  by: string;
  reason: string;
}

/** The state of the record: whether tables are closed, and why; the last check; the mark; the witness. ``marks`` says whether the mark of the journal can be written, ``compared`` whether the journal could be compared with it at the start, ``witness`` whether it answers, if there is one. */
export interface RecordsState {
  whole: boolean;
  checked_at: number | null;
  records: number;
  marked_at: number | null;
  marks: boolean;
  compared: boolean;
  witness: boolean | null;
  closed: Message[];
}

/** A wall clock that somebody set: when by its new time, by how many microseconds, and in which run. */
export interface ClockStep {
  at: string;
  microseconds: number;
  run: string;
}

/** A member of staff, without anything that they sign in with. */
export interface PersonLine {
  name: string;
  posts: string[];
  second_factor: boolean;
  locked: string | null;
  failures: number;
}

/** It is recorded; a second factor that came with it is shown once. */
export interface PersonChanged {
  factor: FactorShown | null;
}

/** A new second factor, shown once: its secret, and its QR code row by row, where 1 is dark. */
export interface FactorShown {
  secret: string;
  picture: string[];
}

/** A service account, without its secret; ``ended`` is why it is over before its time, if it is. */
export interface AccountLine {
  name: string;
  scopes: Scope[];
  since: string;
  ends: string;
  by: string;
  second: string | null;
  ended: string | null;
}

/** A service account that was made, with its secret, which is shown once. */
export interface AccountMade {
  account: AccountLine;
  secret: string;
}

/** A webhook, without its secret; ``stopped`` is why nothing is posted until somebody resumes it. */
export interface WebhookLine {
  name: string;
  url: string;
  scopes: Scope[];
  by: string;
  second: string | null;
  stopped: string | null;
}

/** A webhook that was set up, with its secret, which is shown once. */
export interface WebhookMade {
  webhook: WebhookLine;
  secret: string;
}

/** A terminal, without its token or code. */
export interface TerminalLine {
  id: string;
  table: string;
  position: number | null;
  enabled: boolean;
  claimed: boolean;
  patron: string | null;
}

/** The code to type at a terminal, and until when it is good. */
export interface Enrolled {
  terminal: string;
  code: string;
  ends: string;
}

/** Records of a stream; ``withheld`` where a round is under way whose cards are not all open. ``reached`` is the sequence from which the next page goes on. */
export interface RecordsAnswer {
  records: RecordLine[];
  withheld: boolean;
  reached: number;
}

/** A record of the journal: who asked what on whose authority, what came of it, and what binds it. */
export interface RecordLine {
  sequence: number;
  kind: string;
  at: number;
  actor: string;
  authoriser: string | null;
  command_id: string;
  command: unknown;
  events: unknown;
  refused: unknown;
  rulebook: string;
  house: string;
  software: string;
  previous: string;
  digest: string;
}

/** How far a verification is, and its findings so far. */
export interface Verification {
  running: boolean;
  chain_only: boolean;
  by: string;
  began: number;
  records: number;
  total: number;
  reports: Proven[];
  failed: string | null;
}

/** The findings in a stream, in sentences; none where it is whole. ``lenient`` is how many records another engine wrote, which are not decided again strictly. */
export interface Proven {
  stream: string;
  records: number;
  rounds: number | null;
  signed_until: number;
  root: string;
  findings: string[];
  more_findings: number;
  lenient: number;
}

/** The rounds of all tables that were sought, the newest first, and what can be sought there. ``wagers`` are all that these tables offer, by their names in the documents. */
export interface SearchAnswer {
  rounds: TableRound[];
  wagers: Record<string, string>;
  situations: Situation[];
}

/** A round of one of several tables, and the currency of its amounts. */
export interface TableRound {
  table: string;
  currency: Currency | null;
  round: RoundLine;
}

/** A round in a list: where it stands, how it ended, who played, and what went wrong. */
export interface RoundLine {
  number: number;
  first: number;
  last: number;
  began: number;
  ended: boolean;
  void: boolean;
  free: boolean;
  winner: Winner | null;
  situations: Situation[];
  disputed: boolean;
  corrected: boolean;
  patrons: string[];
  staked: number;
  shoe: number | null;
  people: string[];
  wagers: string[];
  largest: number;
}

/** The rounds that were sought, the newest first. */
export interface RoundsAnswer {
  rounds: RoundLine[];
}

/** A round, told, and the cards of both hands as they lay after each step. */
export interface RoundAnswer {
  story: Story;
  laid: (Record<string, (Card | null)[]>)[];
}

/** A round, told. */
export interface Story {
  steps: StoryStep[];
  hands: Record<string, (Card | null)[]>;
  facts: Facts | null;
  void: boolean;
  stakes: Stake[];
  disputes: StoryStep[];
}

/** The consequences of one command: the record, the moment, the person, and sentences. */
export interface StoryStep {
  record: number;
  moment: string;
  person: string;
  authoriser: string | null;
  lines: StoryLine[];
  refused: boolean;
}

/** A sentence, and the clauses behind it. */
export interface StoryLine {
  text: string;
  clauses: string[];
}

/** The result of a wager, amounts in minor units. */
export interface Stake {
  patron: string;
  position: number | null;
  wager: string;
  stake: number;
  result: string;
  odds: string | null;
  paid: number;
  taken: number;
  back: number;
  commission: number;
  clauses: string[];
}

/** A report: its periods with rows for each, and what it was made from. ``today`` is the gaming day of now, ``zones`` are the time zones of the periods, and ``files`` the forms in which it can be had. */
export interface ReportAnswer {
  kind: ReportKind;
  first: string;
  last: string;
  today: string;
  zones: string[];
  houses: string[];
  periods: ReportPeriod[];
  rows: ReportRow[];
  names: ReportNames;
  digest: string;
  files: ReportForm[];
}

/** The periods of a report: each gaming day, each shift, or the whole time. */
export type ReportKind = 'day' | 'shift' | 'table';

/** A period of a report; its beginning and end are on the clock of the floor. */
export interface ReportPeriod {
  date: string;
  shift: number | null;
  begins: string;
  ends: string;
}

/** A line of a report: amounts are minor units of the currency; times are on the clock of the floor. ``deviations`` is by how many standard deviations the win lies off what the exact odds expect. */
export interface ReportRow {
  date: string;
  shift: number | null;
  begins: string;
  ends: string;
  of: LineSubject;
  name: string;
  game: string;
  training: boolean;
  currency: string;
  exponent: number;
  rounds: number;
  void_rounds: number;
  hours_open: number;
  rounds_per_hour: number | null;
  wagers: number;
  turnover: number;
  win: number;
  expected_win: number;
  deviation: number;
  deviations: number | null;
  commission: number;
  besides: number;
  bought: number;
  cashed_out: number;
  drop: number;
  hold: number | null;
  opener: number;
  fills: number;
  chip_returns: number;
  closer: number;
  win_by_count: number;
  win_by_wagers: number;
  difference: number;
  awarded: number;
  irregularities: number;
  rulings: number;
  disputes: number;
}

/** The subject of a line of a report. */
export type LineSubject = 'all' | 'dealer' | 'game' | 'pit' | 'table' | 'wager';

/** The printed names of games by their id, and of wagers by the id of the game and their own. */
export interface ReportNames {
  games: Record<string, string>;
  wagers: Record<string, Record<string, string>>;
}

/** The form of a file, by the ending of its name. */
export type ReportForm = 'csv' | 'pdf' | 'xlsx';

/** The exact odds of every wager; ``total`` are ordered draws, ``void`` those that cannot be completed. Counts are texts, since from nine decks on they pass what JSON readers keep. */
export interface OddsAnswer {
  game: string;
  cards: Record<string, number>;
  total: string;
  void: string;
  wagers: Record<string, WagerPriced>;
}

/** A wager: its rows, and what the house keeps of a unit staked, exactly and as a number. */
export interface WagerPriced {
  rows: PayRowOdds[];
  stood_off: string;
  lost: string;
  edge: string;
  edge_percent: number;
  sd: number;
}

/** How often a row pays: its odds, ordered draws, and their share. */
export interface PayRowOdds {
  odds: string;
  count: string;
  probability: number;
}

/** The drills of one game, and all games for which there are drills. */
export interface DrillsAnswer {
  game: string;
  games: DrilledGame[];
  drills: DrillLine[];
}

/** A game for which there are drills, and the posts that have something to do in them. */
export interface DrilledGame {
  game: string;
  name: string;
  posts: string[];
}

/** A drill under the game that was asked for, and the posts that have something to do in it. */
export interface DrillLine {
  name: string;
  title: string;
  posts: string[];
}

/** A drill under way, and its training table as staff see it; ``refused`` is why a command was not done. ``person`` is how whoever trains is called at that table, and ``posts`` are those that can be called. ``moments`` are those since the answer before, and ``now`` is the time at the table. A drill by chance has the ``fault`` that it came of. */
export interface DrillAnswer {
  session: string;
  drill: string;
  title: string;
  game: string;
  post: string;
  person: string;
  posts: string[];
  level: Level;
  over: boolean;
  told: DrillTelling[];
  sequence: number;
  now: number;
  view: View;
  moments: MomentAt[];
  fault: FaultSeed | null;
  refused: RefusedMessage | null;
}

/** Something that is told in a drill: an act at the table, a hint, or an entry of somebody else. */
export interface DrillTelling {
  kind: string;
  says: string;
}

/** The seed of a drill by chance, and the fault that was asked for; without one it brings any. */
export interface FaultSeed {
  seed: number;
  what: string | null;
}

/** A refusal: a stable code, the clauses, and a sentence with the values that stand in it. Over a socket it has the id of the command, or the table that cannot be watched. */
export interface RefusedMessage {
  type: 'refused';
  reason: Refusal;
  clauses: string[];
  message: string;
  params: ([string, string | number])[];
  command_id: string | null;
  table: string | null;
}

/** The grade of a drill, the right way, and the clauses of both in plain words. ``kept`` says whether it is in the record of training, ``fault`` of which seed it came. */
export interface GradeAnswer {
  session: string;
  drill: string;
  title: string;
  game: string;
  post: string;
  level: Level;
  passed: boolean;
  kept: boolean;
  points: number;
  most: number;
  seconds: number;
  aspects: AspectGraded[];
  findings: FindingLine[];
  right_way: RightStepLine[];
  clauses: ClauseSaid[];
  fault: FaultSeed | null;
}

/** Whether everything was right in one respect. */
export interface AspectGraded {
  aspect: Aspect;
  says: string;
  right: boolean;
}

/** The aspects that are graded, in the order in which they are told. */
export type Aspect = 'carried-out' | 'claims' | 'noticed' | 'order' | 'post' | 'situation' | 'time';

/** One thing that was right or was not, with its clauses. */
export interface FindingLine {
  aspect: Aspect;
  right: boolean;
  says: string;
  clauses: string[];
}

/** A step of the right way: whose it is, what it brings about, and what the rules lay down for it. ``says`` are the sentences of what is to be done, ``text`` is its line in a round file. */
export interface RightStepLine {
  text: string;
  actor: string;
  own: boolean;
  says: string[];
  sentences: SentenceLine[];
  rules: string[];
}

/** A sentence about what a step brings about, with its clauses. */
export interface SentenceLine {
  says: string;
  clauses: string[];
}

/** The games at which one can train by seed. */
export interface TrainedGamesAnswer {
  games: TrainedGame[];
}

/** A game with the posts of its house, the lowest first, and what can go wrong at it by chance. */
export interface TrainedGame {
  game: string;
  name: string;
  posts: string[];
  faults: string[];
}

/** The games for tables with a trainer, and whether the asker is a trainer. */
export interface TrainerGamesAnswer {
  games: TrainerGame[];
  trains: boolean;
}

/** A game at which a table with a trainer can be opened, and the kinds of table that it has. */
export interface TrainerGame {
  game: string;
  name: string;
  kinds: TableKind[];
}

/** An exercise as it stands: a question that waits for its answer, a checked answer, or the result. */
export interface ExerciseStanding {
  exercise: string;
  game: string;
  name: string;
  seed: number;
  rounds: number;
  currency: Currency;
  question: ExerciseQuestion | null;
  checked: CheckedAnswer | null;
  result: ExerciseResult | null;
}

/** A question of an exercise, and the cards that lie there, in the order in which they came out. */
export interface ExerciseQuestion {
  number: number;
  round: number;
  skill: Skill;
  dealt: DealtFace[];
  stake: AskedStake | null;
}

/** The skills of ordinary dealing. */
export type Skill = 'entry' | 'payout' | 'takes-and-pays' | 'third-card';

/** A card of a round, and the hand at which it lies. */
export interface DealtFace {
  hand: Hand;
  card: Card;
}

/** The wager that a question is about, by its id and its printed name, and its stake in minor units. */
export interface AskedStake {
  patron: string;
  wager: string;
  name: string;
  amount: number;
}

/** An answer to a question: whether it is right, the right one, why that is so, and by which clauses. */
export interface CheckedAnswer {
  question: ExerciseQuestion;
  answer: string;
  right: boolean;
  right_answer: string;
  seconds: number;
  clauses: string[];
  why: Message | null;
}

/** The result of an exercise: points, seconds, each skill, and what was wrong. ``kept`` says whether it is in the record of training. */
export interface ExerciseResult {
  points: number;
  most: number;
  seconds: number;
  kept: boolean;
  skills: SkillResult[];
  wrong: CheckedAnswer[];
  clauses: ClauseSaid[];
}

/** The result of a skill in an exercise: questions, those answered rightly, and the seconds for all. ``cards`` were entered: only card entry has them. */
export interface SkillResult {
  skill: string;
  asked: number;
  right: number;
  seconds: number;
  cards: number;
}

/** The open tables at which the asker can let something go wrong. */
export interface TrainerTablesAnswer {
  tables: TrainerTableLine[];
}

/** A table with a trainer that is open; ``since`` is in microseconds since 1970. */
export interface TrainerTableLine {
  session: string;
  person: string;
  game: string;
  name: string;
  kind: TableKind;
  post: string;
  since: number;
}

/** A table with a trainer as its trainer sees it: what was told, the table, and what can go wrong now. ``refused`` is why what was asked for last could not go wrong. The grade is there once it is over. */
export interface TrainerTableAnswer {
  session: string;
  person: string;
  game: string;
  kind: TableKind;
  post: string;
  since: number;
  over: boolean;
  told: DrillTelling[];
  sequence: number;
  now: number;
  view: View;
  strikes: StrikeLine[];
  choices: StrikeChoice[];
  refused: WhyNoStrike | null;
  grade: GradeAnswer | null;
}

/** Something that a trainer let go wrong, and how far it is. */
export interface StrikeLine {
  fault: string;
  trainer: string;
  words: string;
  state: StrikeState;
}

/** How far a strike is: still to be seen, to be handled, handled, missed, or never come to pass. */
export type StrikeState = 'coming' | 'dropped' | 'handled' | 'missed' | 'open';

/** Something that can go wrong, and why it cannot now. */
export interface StrikeChoice {
  fault: string;
  why_not: WhyNoStrike | null;
}

/** Why a trainer cannot strike now: at all, or with one fault. */
export type WhyNoStrike = 'case-open' | 'enough' | 'not-here' | 'over' | 'strike-open' | 'too-late';

/** The record of training of a person; ``people`` are all whose records the asker may see. */
export interface TrainingRecordAnswer {
  person: string;
  people: string[];
  packs: PackLine[];
  results: ResultLine[];
}

/** The progress in a pack: times, times passed, and the share of the points of each, in order. */
export interface PackLine {
  pack: string;
  times: number;
  passed: number;
  shares: number[];
  seconds: number;
}

/** The result of a drill or an exercise in a record of training. ``wrong`` says in which respects something was wrong, ``skills`` how an exercise went, and ``trainer`` who let it go wrong. */
export interface ResultLine {
  time: string;
  pack: string;
  title: string;
  game: string;
  post: string;
  level: number;
  points: number;
  most: number;
  passed: boolean;
  seconds: number;
  wrong: string[];
  skills: SkillResult[];
  trainer: string;
}

/** The demonstration floor: whom to sign in as, and where to sit. */
export interface DemoAnswer {
  people: DemoPersonLine[];
  terminals: TerminalLine[];
}

/** A person of the demonstration floor, with what they sign in with just now. */
export interface DemoPersonLine {
  name: string;
  post: string;
  password: string;
  code: string;
}

/** That the server is there, the tables that take nothing at present, and whether the record is whole. */
export interface Health {
  version: string;
  records: RecordsState;
  stopped: string[];
}

/** The first message of a socket, and again when somebody sits down or leaves. */
export interface Hello {
  type: 'hello';
  me: Me;
}

/** The time. */
export interface Pong {
  type: 'pong';
  now: number;
}

/** The last message of a socket: why it ends, and whether to come again. */
export interface Ended {
  type: 'ended';
  reason: string;
  again: boolean;
}

/** All sections of a table at a sequence, and everything that happened since ``after``. */
export interface ViewFrame {
  type: 'view';
  table: string;
  after: number;
  sequence: number;
  now: number;
  clock: BettingClock | null;
  until: number | null;
  moments: MomentAt[];
  sections: Sections;
}

/** The sections that changed by a sequence, null where one is gone, and the moments since ``after``. */
export interface NewsFrame {
  type: 'news';
  table: string;
  after: number;
  sequence: number;
  now: number;
  clock: BettingClock | null;
  until: number | null;
  moments: MomentAt[];
  sections: Sections;
}

/** Lines of the lobby that changed. */
export interface LobbyFrame {
  type: 'lobby';
  now: number;
  tables: LobbyLine[];
}

/** A command to a table. */
export type TableCommand = SetUpTable | TickEquipment | RecordConfirmation | OpenTable | PauseTable | ResumeTable | CloseTable | StopAfterRound | CancelStop | ChangeTable | ComeOnDuty | GoOffDuty | AppointActing | ComeToTable | LeaveTable | BuyCredits | CashOut | ConfirmCredits | ChangeMethod | LimitOwners | LoadShoe | CountCards | OpenShoe | CutCards | BurnCards | AnnounceLastHand | TakeDevice | GiveUpDevice | PermitDrawing | PermitSqueeze | ForbidSqueeze | RequestSqueeze | OpenBetting | PlaceWager | ReduceWager | HoldMoney | DecideHeldMoney | FindWager | CorrectWager | CloseBetting | DealNow | AskToDecreaseWagers | RemoveWager | DrawCard | SeeCuttingCard | PassCards | ChooseSqueezer | DeclineCards | ChooseRevealOrder | LookAtCards | ExposeCards | AnnounceTotals | CallOutcome | ReportDeviceResult | DealFreeHand | ReportIrregularity | ConfirmFacts | DisproveFacts | WithdrawReport | CorrectCard | Rule | AnswerOffer | EndOffer | ReserveCards | EnterSortedCards | SubstituteCards | ChooseCards | AcknowledgeAlert | RaiseAlarm | OpenDispute | EscalateDispute | GatherInformation | InformSurveillance | GiveTimeFrame | SayNoTimeFrame | DecideDispute | AnswerDecision | InformInspector | PayAward | ConfirmReceipt | TellComplaintRight | FileComplaint | ReceiveComplaint | AnswerComplaint | CloseDispute | CountOpener | FillChips | ReturnChips | BuyChips | VoidSlip | CountCloser | CountDrop;

/** A command to the floor. */
export type FloorCommand = AddPerson | ChangePosts | ChangePassword | SetSecondFactor | LockPerson | UnlockPerson | SignIn | ShowIdentity | FailSignIn | EndSession | EnrolTerminal | ClaimTerminal | EnableTerminal | DisableTerminal | OpenPatronSession | ClosePatronSession | ProposeTable | ApproveProposal | RejectProposal | DefineTables | BeginSigning | AcceptRestore | AcceptShelf | NoteClockStep | AcknowledgeClockStep | Disable | Enable | AddAccount | RevokeAccount | AddWebhook | RemoveWebhook | StopWebhook | ResumeWebhook | NoteDelivered;

/** Something that happened at a table, told apart by its kind. */
export type Moment = TableSetUpMoment | EquipmentTickedMoment | ApprovalConfirmedMoment | TableOpenedMoment | TablePausedMoment | TableResumedMoment | TableClosedMoment | StopPlannedMoment | StopCancelledMoment | ChangePlannedMoment | TableChangedMoment | StaffCameMoment | StaffLeftMoment | ActingAppointedMoment | PatronCameMoment | PatronLeftMoment | CreditsBoughtMoment | CreditsCashedOutMoment | CreditsAskedMoment | CreditsDeclinedMoment | MethodChangedMoment | OwnersLimitedMoment | ShoeLoadedMoment | CardsCountedMoment | CardsCutMoment | CardsBurnedMoment | LastHandAnnouncedMoment | DeviceTakenMoment | DeviceReleasedMoment | DrawingPermittedMoment | SqueezePermittedMoment | SqueezeForbiddenMoment | SqueezeRequestedMoment | BettingOpenedMoment | RoundBeganMoment | WagerPlacedMoment | WagerReducedMoment | MoneyHeldMoment | HeldWagerJudgedMoment | HeldMoneyDecidedMoment | WagerFoundMoment | WagerHandedBackMoment | WagerPulledLateMoment | BettingClosedMoment | DifferentialExceededMoment | DecreaseAskedMoment | DecreaseAnsweredMoment | CardsChosenMoment | CardDrawnMoment | CardsSetAsideMoment | CardSeenInShoeMoment | CuttingCardSeenMoment | CardsDeliveredMoment | CardsTakenBackMoment | CardsDeclinedMoment | RevealOrderChosenMoment | CardsSeenMoment | CardsExposedMoment | OutcomeKnownMoment | TotalsAnnouncedMoment | OutcomeCalledMoment | DeviceMismatchMoment | RoundSettledMoment | PatronMarkedMoment | RoundVoidedMoment | RoundEndedMoment | ShoeEndedMoment | ShoeOpenedMoment | IrregularityReportedMoment | FactsConfirmedMoment | FactsDisprovedMoment | ReportWithdrawnMoment | CardCorrectedMoment | CaseWaitsMoment | RulingMadeMoment | EffectCarriedOutMoment | OfferOpenedMoment | OfferAnsweredMoment | AnswerTakenBackMoment | OfferClosedMoment | CardsReconstructedMoment | CardsRetrievedMoment | StrayCardsKeptMoment | FreeHandDueMoment | CardReplacementDueMoment | BettingReopenedMoment | BettingCancelledMoment | CardsReservedMoment | MissingCardsDeducedMoment | CardsSubstitutedMoment | SettlementReversedMoment | ClaimBookedMoment | WrongPaymentFoundMoment | PaymentCorrectedMoment | PaymentClaimedMoment | CaseClosedMoment | AlertAcknowledgedMoment | AlarmRaisedMoment | DisputeOpenedMoment | DisputeEscalatedMoment | InformationGatheredMoment | SurveillanceInformedMoment | TimeFrameGivenMoment | TimeFrameNotPossibleMoment | DisputeDecidedMoment | PatronAnsweredMoment | InspectorInformedMoment | AwardPaidMoment | AwardSetOffMoment | ReceiptConfirmedMoment | ComplaintRightToldMoment | ComplaintFiledMoment | ComplaintReceivedMoment | ComplaintAnsweredMoment | DisputeClosedMoment | OpenerCountedMoment | ChipsFilledMoment | ChipsReturnedMoment | ChipsBoughtMoment | SlipVoidedMoment | CloserCountedMoment | DropCountedMoment;

/** The sections of a view by name; in news only those that changed, and null for one that is gone. */
export type Sections = { [Name in keyof View]?: View[Name] | null };

/** Everything that a socket may be sent. */
export type Incoming = Watch | Unwatch | WatchLobby | SendCommand | Ping;

/** Everything that comes from a socket. */
export type Outgoing = Hello | Pong | Ended | AcceptedAnswer | RefusedMessage | Frame | LobbyFrame;

/** The news of a table: everything, or what is new. */
export type Frame = ViewFrame | NewsFrame;
