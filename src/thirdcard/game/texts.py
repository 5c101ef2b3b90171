"""Texts that people write into commands: trimmed, never blank where one is owed, and never too long."""

from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal, Refused, refuse

LONGEST_TEXT = 1000  # characters
# the texts of each command; those of ``OPTIONAL`` may be left out
TEXTS: dict[type[cmd.Body], tuple[str, ...]] = {
    cmd.ReportIrregularity: ("note",),
    cmd.BuyCredits: ("reason",),
    cmd.CashOut: ("reason",),
    cmd.FindWager: ("reason",),
    cmd.CorrectWager: ("reason",),
    cmd.CorrectCard: ("reason",),
    cmd.OpenDispute: ("about",),
    cmd.GatherInformation: ("what", "given_by"),
    cmd.SayNoTimeFrame: ("why",),
    cmd.DecideDispute: ("decision",),
    cmd.PayAward: ("to", "how"),
    cmd.FileComplaint: ("text",),
    cmd.AnswerComplaint: ("answer",),
    cmd.BuyChips: ("reason",),
    cmd.VoidSlip: ("reason",),
}
OPTIONAL = (
    cmd.ReportIrregularity,
    cmd.PayAward,
    cmd.BuyCredits,
    cmd.CashOut,
    cmd.FindWager,
    cmd.CorrectWager,
    cmd.CorrectCard,
    cmd.BuyChips,
)


def has_words(text: str) -> bool:
    """Whether a text says anything: it has a letter or a digit of any script."""
    return any(each.isalnum() for each in text)


def with_texts_trimmed(body: cmd.Body) -> cmd.Body | Refused:
    """Return a command that has texts with them trimmed, or refuse one that is blank or too long."""
    names = TEXTS[type(body)]
    texts = {name: getattr(body, name).strip() for name in names}
    reasons: tuple[str, ...] = ()
    if isinstance(body, cmd.DecideDispute):
        lacking = tuple(replace(each, why=each.why.strip()) for each in body.unavailable)
        body, reasons = replace(body, unavailable=lacking), tuple(each.why for each in lacking)
    longest = max((*texts.values(), *reasons), key=len)
    if len(longest) > LONGEST_TEXT:
        return refuse(Refusal.TEXT_TOO_LONG, most=LONGEST_TEXT, length=len(longest))
    if not isinstance(body, OPTIONAL) and not all(map(has_words, texts.values())):
        return refuse(Refusal.TEXT_NEEDED)
    changed = any(getattr(body, name) != text for name, text in texts.items())
    return replace(body, **texts) if changed else body
