"""Why something asked for is not done: a reason, the clause behind it, and what to say."""

import enum

from msgspec import Struct

from thirdcard.messages import Message, Params


class Refusal(enum.Enum):
    """The reasons, in order of precedence: where several hold, the first one is given."""

    REQUEST_TOO_LARGE = "request-too-large"
    TOO_MANY_REQUESTS = "too-many-requests"
    WRONG_ORIGIN = "wrong-origin"
    NOT_SIGNED_IN = "not-signed-in"
    SESSION_IDLE = "session-idle"
    SIGN_IN_FAILED = "sign-in-failed"
    UNFIT_NAME = "unfit-name"
    COMMAND_ID_USED = "command-id-used"
    TABLE_STOPPED = "table-stopped"
    NO_SUCH_TABLE = "no-such-table"
    NOT_PERMITTED = "not-permitted"
    SECOND_PERSON_NEEDED = "second-person-needed"
    NO_SUCH_PERSON = "no-such-person"
    NO_SUCH_POST = "no-such-post"
    NO_SUCH_SESSION = "no-such-session"
    NO_SUCH_TERMINAL = "no-such-terminal"
    NO_SUCH_PROPOSAL = "no-such-proposal"
    PERSON_LOCKED = "person-locked"
    SECOND_FACTOR_NEEDED = "second-factor-needed"
    PASSWORD_TOO_WEAK = "password-too-weak"
    NAME_TAKEN = "name-taken"
    WRONG_CODE = "wrong-code"
    TERMINAL_DISABLED = "terminal-disabled"
    TABLE_DISABLED = "table-disabled"
    TRAINING_ONLY = "training-only"
    TIME_WITHOUT_OFFSET = "time-without-offset"
    NOT_YET_IN_FORCE = "not-yet-in-force"
    NO_RULEBOOK_IN_FORCE = "no-rulebook-in-force"
    WRONG_RULEBOOK = "wrong-rulebook"
    LAYOUT_NOT_OFFERED = "layout-not-offered"
    POSITIONS_NOT_OFFERED = "positions-not-offered"
    DEVICE_NOT_SUITABLE = "device-not-suitable"
    DECKS_NOT_PERMITTED = "decks-not-permitted"
    JOKERS_NOT_PERMITTED = "jokers-not-permitted"
    BACKS_MUST_BE_ALIKE = "backs-must-be-alike"
    LIMITS_NOT_POSTED = "limits-not-posted"
    NOT_STAFF = "not-staff"
    NOT_AUTHORISED = "not-authorised"
    NOT_YOURS = "not-yours"
    IRREGULARITY_UNDER_WAY = "irregularity-under-way"
    TABLE_PAUSED = "table-paused"
    NOT_IN_THIS_PHASE = "not-in-this-phase"
    NOT_AWAITED = "not-awaited"
    EQUIPMENT_UNCHECKED = "equipment-unchecked"
    NO_CARDS_LOADED = "no-cards-loaded"
    NEW_CARDS_DUE = "new-cards-due"
    SHOE_IS_KEPT = "shoe-is-kept"
    SHOE_NOT_OPENED = "shoe-not-opened"
    SHOE_PLAYED_OUT = "shoe-played-out"
    CUT_OUT_OF_RANGE = "cut-out-of-range"
    CARDS_NOT_CUT = "cards-not-cut"
    FREE_HAND_DUE = "free-hand-due"
    METHOD_NOT_OFFERED = "method-not-offered"
    METHOD_NOT_IN_THIS_AREA = "method-not-in-this-area"
    OWNERS_OUT_OF_RANGE = "owners-out-of-range"
    CHIPS_ONLY = "chips-only"
    OUTSIDE_PLAYING_AREA = "outside-playing-area"
    UNKNOWN_PATRON = "unknown-patron"
    UNKNOWN_POSITION = "unknown-position"
    TOO_FEW_CARDS = "too-few-cards"
    TOO_MANY_CARDS = "too-many-cards"
    WAGER_NOT_OFFERED = "wager-not-offered"
    STAKE_NOT_POSITIVE = "stake-not-positive"
    STAKE_TOO_FINE = "stake-too-fine"
    NO_SUCH_WAGER = "no-such-wager"
    LESS_ON_THE_WAGER = "less-on-the-wager"
    PLAYING_AREA_FULL = "playing-area-full"
    UNDER_MINIMUM = "under-minimum"
    OVER_MAXIMUM = "over-maximum"
    HEAVIER_HAND_MAY_NOT_INCREASE = "heavier-hand-may-not-increase"
    CREDITS_SHORT = "credits-short"
    CREDITS_NOT_HERE = "credits-not-here"
    BETTING_CLOSED = "betting-closed"
    NO_LATE_WITHDRAWAL = "no-late-withdrawal"
    DIFFERENTIAL_MUST_BE_MET = "differential-must-be-met"
    NO_CARD_DUE = "no-card-due"
    HANDS_NOT_OPEN = "hands-not-open"
    NOT_THE_DRAWER = "not-the-drawer"
    WAGER_NEEDED_TO_DRAW = "wager-needed-to-draw"
    PATRONS_MAY_NOT_HANDLE_CARDS = "patrons-may-not-handle-cards"
    NOT_THE_SQUEEZER = "not-the-squeezer"
    SQUEEZE_FORBIDDEN = "squeeze-forbidden"
    SQUEEZE_TOO_LATE = "squeeze-too-late"
    CARDS_ARE_FACE_UP = "cards-are-face-up"
    CARD_FACES_NEEDED = "card-faces-needed"
    ORDER_NEEDS_THE_SAME_CARDS = "order-needs-the-same-cards"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    WRONG_SUBSTITUTE = "wrong-substitute"
    FACTS_NEEDED = "facts-needed"
    NO_SUCH_CHOICE = "no-such-choice"
    DECISION_NEEDS_TEXT = "decision-needs-text"
    ALL_OR_NOTHING = "all-or-nothing"
    WAGER_ALREADY_DECIDED = "wager-already-decided"
    NO_SUCH_ALARM = "no-such-alarm"
    NO_SUCH_DISPUTE = "no-such-dispute"
    SURVEILLANCE_NOT_INFORMED = "surveillance-not-informed"
    NO_SOURCE_CITED = "no-source-cited"
    UNKNOWN_SOURCE = "unknown-source"
    COMPLAINT_RIGHT_NOT_TOLD = "complaint-right-not-told"


class Refused(Struct, frozen=True):
    """One refusal as a value; ``clauses`` is empty only where no document speaks."""

    reason: Refusal
    clauses: tuple[str, ...] = ()
    params: Params = ()

    @property
    def message(self) -> Message:
        """What to say about it."""
        return Message(f"refusal.{self.reason.value}", self.params)


def refuse(reason: Refusal, /, *clauses: str, **params: str | int) -> Refused:
    """A refusal with its clauses and the parameters of its sentence."""
    return Refused(reason, clauses, tuple(sorted(params.items())))
