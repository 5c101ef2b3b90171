/**
 * The wagers of a patron in progress. Chips that are put down are a draft; they are sent at once, those that follow
 * before the answer together after it, and they lie on the felt when the server says so. Less than the minimum waits a
 * moment for more. Chips that credits or maximum have no room for are sent after those that fit, so that only they are
 * refused. What the server does not take goes back, and the reason is shown for a while.
 */
import type { OwnSection, TableCommand, WagerOffered } from '../../../api/types.ts';
import { isRefused, type Refused } from '../../../lib/api.ts';
import type { Answer, Live, TableLive } from '../../../lib/live.svelte.ts';
import { noteRefusal } from '../../../lib/notes.svelte.ts';
import type { Receipts } from '../results/receipts.svelte.ts';

/** How a wager stands: taken by the server, on the way there, and put down but not sent. */
export interface Standing {
  accepted: number;
  sent: number;
  draft: number;
  refused: Refused | null;
}

interface Chips {
  wager: string;
  amount: number;
}

interface Recorded extends Chips {
  sequence: number;
}

const FOR_MORE = 350; // milliseconds for which chips below the minimum wait for more
const IN_TIME = 1000; // milliseconds before the end of betting from which on nothing waits
const SHOWN = 4000; // milliseconds for which a reason is shown
const KEPT = 'thirdcard-confirm';

export class Play {
  /** The chip in hand. */
  chip = $state(0);
  /** Whether a tap takes chips off. */
  takesOff = $state(false);
  /** Whether chips wait until somebody says that they are to be sent. */
  confirms = $state(kept());
  /** The wager that was placed or taken off last, for those who do not see it. */
  said = $state.raw<{ taken: boolean; wager: string; amount: number } | null>(null);

  #drafts = $state.raw<Chips[]>([]);
  #sent = $state.raw<Chips[]>([]);
  #recorded = $state.raw<Recorded[]>([]);
  #refused = $state.raw<Record<string, Refused>>({});
  #done = $state.raw<Chips[][]>([]);
  #timers: Record<string, ReturnType<typeof setTimeout>> = {};
  #fading: Record<string, ReturnType<typeof setTimeout>> = {};
  readonly #sending = new Set<string>(); // the wagers of chips that were sent and have no answer
  readonly #unanswered = new Set<Promise<void>>();

  readonly #live: Live;
  readonly #table: TableLive;
  readonly #receipts: Receipts;

  constructor(live: Live, table: TableLive, receipts: Receipts) {
    this.#live = live;
    this.#table = table;
    this.#receipts = receipts;
  }

  get #own(): OwnSection | null {
    return this.#table.view?.own ?? null;
  }

  /** How a wager stands. */
  standing(wager: string): Standing {
    return {
      accepted: this.#lying(wager),
      sent: sum(this.#sent, wager),
      draft: sum(this.#drafts, wager),
      refused: this.#refused[wager] ?? null,
    };
  }

  /** Everything that the server has taken. */
  get staked(): number {
    return this.#wagers.reduce((all, wager) => all + this.#lying(wager), 0);
  }

  /** Everything that was put down and not sent. */
  get drafted(): number {
    return total(this.#drafts);
  }

  get canUndo(): boolean {
    return this.#drafts.length > 0 || this.#done.length > 0;
  }

  get canClear(): boolean {
    return this.#drafts.length > 0 || this.staked > 0;
  }

  get canDouble(): boolean {
    return this.staked > 0;
  }

  /** The wagers of the last round that had some, to make again. */
  get again(): Chips[] {
    const last = this.#own?.last;
    const found = [...(last?.lines ?? []).map(({ settled }) => settled), ...(last?.returned ?? [])];
    const wagers = [...new Set(found.map((each) => each.wager))];
    return wagers.map((wager) => ({
      wager,
      amount: found.filter((each) => each.wager === wager).reduce((all, each) => all + each.stake, 0),
    }));
  }

  get canRebet(): boolean {
    return this.again.some(({ wager, amount }) => amount > this.#all(wager));
  }

  /** Use a playing area: put the chip in hand there, or take as much off. */
  touch(wager: string): void {
    if (this.takesOff) this.takeOff(wager);
    else this.put([{ wager, amount: this.chip }]);
  }

  /** Put chips down. */
  put(chips: Chips[]): void {
    this.#drafts = [...this.#drafts, ...chips];
    for (const { wager } of chips) {
      this.forgive(wager);
      if (!this.confirms) this.#sendSoon(wager);
    }
  }

  /** Take the chip in hand off a wager, or what is left of it. */
  takeOff(wager: string): void {
    this.forgive(wager);
    const last = this.#drafts.findLastIndex((each) => each.wager === wager);
    if (last >= 0) {
      this.#drafts = this.#drafts.toSpliced(last, 1);
      return;
    }
    const amount = Math.min(this.chip, this.#lying(wager));
    if (amount > 0) void this.#reduce([{ wager, amount }]);
  }

  /** Send everything that was put down. */
  confirm(): void {
    for (const wager of new Set(this.#drafts.map((each) => each.wager))) this.#begin(this.#send(wager));
  }

  /** Take back what was done last. */
  undo(): void {
    const draft = this.#drafts.at(-1);
    if (draft) {
      this.forgive(draft.wager);
      this.#drafts = this.#drafts.slice(0, -1);
      return;
    }
    this.#onceAnswered(() => {
      const done = this.#done.at(-1);
      if (!done) return;
      this.#done = this.#done.slice(0, -1);
      void this.#reduce(done);
    });
  }

  /** Take everything back, chips on their way too. */
  clear(): void {
    this.#forget();
    this.#onceAnswered(() => {
      this.#done = [];
      void this.#reduce(this.#allLying());
    });
  }

  /** Make the wagers of the last round again. */
  rebet(): void {
    const missing = this.again.map(({ wager, amount }) => ({ wager, amount: amount - this.#all(wager) }));
    this.#together(missing.filter(({ amount }) => amount > 0));
  }

  /** Stake as much again on everything that lies. */
  double(): void {
    this.#together(this.#allLying());
  }

  /** Whether the cards can be had at once: nobody else is waited for, and no chips are on their way. */
  get canDeal(): boolean {
    return this.#own?.may_deal_now === true && this.#drafts.length === 0 && this.#sent.length === 0;
  }

  /** Have the cards dealt at once. */
  async dealNow(): Promise<void> {
    if (!this.#own || !this.canDeal) return;
    const answer = await this.#live.command(this.#table.name, { type: 'deal-now', patron: this.#own.patron });
    if (isRefused(answer)) noteRefusal(answer);
  }

  /** The reasons that are shown now, the newest last. */
  get reasons(): Refused[] {
    return Object.values(this.#refused);
  }

  /** Take the reason down that is shown for a wager. */
  forgive(wager: string): void {
    clearTimeout(this.#fading[wager]);
    const { [wager]: _, ...others } = this.#refused;
    this.#refused = others;
  }

  /** Show why chips of a wager were not taken, or were handed back at the felt; it goes by itself. */
  refuse(wager: string, why: Refused): void {
    this.forgive(wager);
    this.#refused = { ...this.#refused, [wager]: why };
    this.#fading[wager] = setTimeout(() => this.forgive(wager), SHOWN);
  }

  /** Take all reasons down: betting is open, and what was refused before is over. */
  open(): void {
    for (const wager of Object.keys(this.#refused)) this.forgive(wager);
  }

  /** Betting is over: chips that were put down and not sent go back, and nothing can be undone. Gives them back. */
  close(): Chips[] {
    const left = this.#drafts;
    this.#forget();
    this.said = null;
    this.#done = [];
    this.takesOff = false;
    return left;
  }

  /** Ask for confirmation from now on, or no longer. */
  confirmFirst(on: boolean): void {
    this.confirms = on;
    if (!on) this.confirm();
    try {
      localStorage.setItem(KEPT, on ? 'yes' : 'no');
    } catch {
      // then it is asked for again the next time
    }
  }

  // what lies, and what is done to it

  get #wagers(): string[] {
    return this.#table.view?.setup.wagers.map((each) => each.id) ?? [];
  }

  /** A wager as this table offers it. */
  #offered(wager: string): WagerOffered | undefined {
    return this.#table.view?.setup.wagers.find((each) => each.id === wager);
  }

  /** Return the amount that lies by the table's own account, with what was recorded since. */
  #lying(wager: string): number {
    const seen = this.#table.sequence ?? 0;
    const shown = (this.#own?.wagers ?? []).filter((each) => each.wager === wager);
    const newer = this.#recorded.filter((each) => each.sequence > seen);
    return shown.reduce((all, each) => all + each.stake - each.pulled, 0) + sum(newer, wager);
  }

  #allLying(): Chips[] {
    return this.#wagers.map((wager) => ({ wager, amount: this.#lying(wager) })).filter(({ amount }) => amount > 0);
  }

  /** Everything on a wager, taken or not. */
  #all(wager: string): number {
    return this.#lying(wager) + sum(this.#sent, wager) + sum(this.#drafts, wager);
  }

  #together(chips: Chips[]): void {
    if (this.confirms) {
      this.put(chips);
      return;
    }
    for (const { wager } of chips) this.forgive(wager);
    this.#begin(this.#placeAll(chips));
  }

  /** Place several wagers, to be undone together as far as they are taken. */
  async #placeAll(chips: Chips[]): Promise<void> {
    const group: Chips[] = [];
    await Promise.all(chips.map((each) => this.#place(each, group)));
    this.#remember(group);
  }

  #remember(group: Chips[]): void {
    if (group.length > 0) this.#done = [...this.#done, group];
  }

  /** Send what was put down on a wager, unless it waits for an answer or for more chips; near the end of betting nothing waits. */
  #sendSoon(wager: string): void {
    clearTimeout(this.#timers[wager]);
    const left = (this.#table.clock?.closes ?? Infinity) / 1000 - this.#live.now() - IN_TIME;
    const isEnough = this.#all(wager) >= (this.#offered(wager)?.minimum ?? 0);
    if (left > 0 && this.#sending.has(wager)) return;
    if (left <= 0 || isEnough) this.#begin(this.#send(wager));
    else this.#timers[wager] = setTimeout(() => this.#begin(this.#send(wager)), Math.min(FOR_MORE, left));
  }

  /** Follow what is sent until it is answered. */
  #begin(sent: Promise<void>): void {
    this.#unanswered.add(sent);
    void sent.finally(() => this.#unanswered.delete(sent));
  }

  /** Act once everything that was sent before is answered. */
  #onceAnswered(act: () => void): void {
    if (this.#unanswered.size === 0) act();
    else void Promise.all(this.#unanswered).then(act);
  }

  async #send(wager: string): Promise<void> {
    clearTimeout(this.#timers[wager]);
    const drafts = this.#drafts.filter((each) => each.wager === wager);
    if (drafts.length === 0) return;
    this.#drafts = this.#drafts.filter((each) => each.wager !== wager);
    const { fitting, beyond } = this.#divided(wager, drafts);
    const group: Chips[] = [];
    const parts = [fitting, beyond].map((chips) => ({ wager, amount: sum(chips, wager) }));
    this.#sending.add(wager);
    const [first, second] = await Promise.all(
      parts.map((chips) => (chips.amount > 0 ? this.#place(chips, group) : Promise.resolve(null))),
    );
    this.#sending.delete(wager);
    this.#remember(group);
    const newer = this.#drafts.some((each) => each.wager === wager);
    const isTooLittle = first?.reason === 'under-minimum';
    if (isTooLittle) this.#drafts = [...fitting, ...this.#drafts]; // more chips may come
    // the other chips lie there, so that these need no more
    if (isTooLittle && beyond.length > 0 && second === null) this.#begin(this.#send(wager));
    else if (newer && !this.confirms) this.#sendSoon(wager);
  }

  /** Divide chips for a wager into those that maximum and credits have room for, and those beyond; the server decides. */
  #divided(wager: string, chips: Chips[]): { fitting: Chips[]; beyond: Chips[] } {
    const maximum = this.#offered(wager)?.maximum ?? Infinity;
    let room = Math.min(maximum - this.#lying(wager) - sum(this.#sent, wager), this.#credits);
    const fitting: Chips[] = [];
    const beyond: Chips[] = [];
    for (const each of chips) {
      const fits = each.amount <= room;
      (fits ? fitting : beyond).push(each);
      if (fits) room -= each.amount;
    }
    return { fitting, beyond };
  }

  /** The credits that are left by the table's own account, without what was sent or recorded since. */
  get #credits(): number {
    const seen = this.#table.sequence ?? 0;
    const newer = this.#recorded.filter((each) => each.sequence > seen);
    return (this.#own?.credits ?? Infinity) - total(this.#sent) - total(newer);
  }

  /** Place a wager; once it is taken it is one of those that are undone together. */
  async #place(chips: Chips, group: Chips[]): Promise<Refused | null> {
    const answer = await this.#command('place-wager', chips);
    if (answer === null || isRefused(answer)) return answer;
    if (answer.receipt) group.push(chips); // what was handed back has none
    return null;
  }

  async #reduce(chips: Chips[]): Promise<void> {
    await Promise.all(chips.map((each) => this.#command('reduce-wager', each)));
  }

  async #command(type: 'place-wager' | 'reduce-wager', { wager, amount }: Chips): Promise<Answer | null> {
    const own = this.#own;
    if (own === null) return null;
    const sign = type === 'place-wager' ? 1 : -1;
    const chips = { wager, amount: sign * amount };
    this.#sent = [...this.#sent, chips];
    const money = own.credits === null ? 'chips' : 'credits';
    const about = { patron: own.patron, wager, amount, position: own.position };
    const command: TableCommand = type === 'place-wager' ? { type, ...about, money } : { type, ...about };
    const answer = await this.#live.command(this.#table.name, command);
    this.#sent = this.#sent.filter((each) => each !== chips);
    if (isRefused(answer)) {
      this.refuse(wager, answer);
      return answer;
    }
    if (answer.receipt === null) return answer;
    const seen = this.#table.sequence ?? 0;
    this.#recorded = [
      ...this.#recorded.filter((each) => each.sequence > seen),
      { ...chips, sequence: answer.sequence },
    ];
    this.said = { taken: sign > 0, wager, amount };
    this.#receipts.keep(answer.receipt, amount, wager);
    return answer;
  }

  #forget(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
    this.#drafts = [];
    this.open();
  }
}

function sum(chips: Chips[], wager: string): number {
  return total(chips.filter((each) => each.wager === wager));
}

function total(chips: Chips[]): number {
  return chips.reduce((all, each) => all + each.amount, 0);
}

function kept(): boolean {
  try {
    return localStorage.getItem(KEPT) === 'yes';
  } catch {
    return false;
  }
}
