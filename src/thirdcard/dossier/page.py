"""A round as one page of HTML that anybody can read and print."""

import datetime
import html
import importlib.resources
from collections.abc import Iterable, Sequence

from msgspec import Struct

from thirdcard.cards import Card, Suit
from thirdcard.clauses import Clause, clause_order
from thirdcard.dossier.find import FoundRound
from thirdcard.dossier.story import (
    RESULTS,
    SIGNS,
    STORY_COLUMNS,
    WAGER_COLUMNS,
    Stake,
    Story,
    StoryLine,
    StoryStep,
    game_name,
    odds_in_words,
    wager_name,
)
from thirdcard.game.outcome import point_total
from thirdcard.game.state import Hand
from thirdcard.journal.store import Checkpoint
from thirdcard.messages import FIRST_LANGUAGE, spoken_language
from thirdcard.money import Currency, format_amount
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.words import text

RED = (Suit.HEARTS, Suit.DIAMONDS)
NUMBERS = ("dossier.stake", "dossier.paid", "dossier.taken", "dossier.back")
TO_CHECK = ("dossier.check-get", "dossier.check-run", "dossier.check-compare")


class Subject(Struct, frozen=True):
    """The subject of a page: the round, its story, and the rules it was played by."""

    found: FoundRound
    story: Story
    rulebook: Rulebook
    house: House
    checkpoint: Checkpoint | None


def page_of(subject: Subject) -> str:
    """The page, whole: no scripts, and nothing that is fetched from elsewhere."""
    style = importlib.resources.files("thirdcard").joinpath("dossier", "page.css").read_text("utf-8")
    title = text("dossier.title", round=subject.found.number, table=subject.found.stream)
    parts = [
        f"<header>{_tag('h1', title)}{_facts(subject)}</header>",
        _result(subject),
        _section("dossier.wagers", _wagers(subject)),
        _section("dossier.steps", _steps(subject.story.steps)),
        _section("dossier.disputes", _steps(subject.story.disputes)),
        _section("dossier.clauses", _clauses(subject)),
        _section("dossier.checking", _checking(subject)),
    ]
    return (
        f'<!doctype html>\n<html lang="{spoken_language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{''.join(parts)}\n</main>\n</body>\n</html>\n"
    )


def _tag(name: str, words: str, kind: str = "") -> str:
    of = f' class="{kind}"' if kind else ""
    return f"<{name}{of}>{html.escape(words)}</{name}>"


def _in_english(name: str, words: str) -> str:
    """Words that there are in English alone, marked as such on a page in another language."""
    mark = "" if spoken_language() == FIRST_LANGUAGE else f' lang="{FIRST_LANGUAGE}"'
    return f"<{name}{mark}>{html.escape(words)}</{name}>"


def _section(key: str, inside: str) -> str:
    return f"\n<section>{_tag('h2', text(key))}{inside}</section>" if inside else ""


def _moment(moment: datetime.datetime) -> str:
    return moment.strftime("%H:%M:%S.") + f"{moment.microsecond // 1000:03}"


def _facts(subject: Subject) -> str:
    """Where and when it was, in a line or two."""
    first, last = subject.story.steps[0].moment, subject.story.steps[-1].moment
    day = first.strftime("%Y-%m-%d")
    zone = "UTC" if not first.utcoffset() else first.strftime("UTC%z")
    when = text("dossier.when", day=day, start=_moment(first), end=_moment(last), zone=zone)
    where = text("dossier.where", game=game_name(subject.rulebook), house=subject.house.form.name)
    return _tag("p", where) + _tag("p", when) + _approval(subject)


def _approval(subject: Subject) -> str:
    """Return who approved the rules, and the confirmation of an approval that names another game."""
    regulator, confirmed = subject.rulebook.document.regulator, subject.found.confirmation
    if regulator is None:
        return ""
    approved = text("dossier.approved", authority=regulator.authority, section=regulator.section)
    if regulator.approves:
        approved += " " + text("dossier.approved-as", title=regulator.approves)
    if confirmed:
        said = {"reference": confirmed.reference, "date": confirmed.date.isoformat()}
        approved += " " + text("dossier.confirmed", by=confirmed.by, second=confirmed.second, **said)
    return _tag("p", approved)


def _result(subject: Subject) -> str:
    """The two hands, and in large letters what came out."""
    story = subject.story
    if story.void:
        said = text("dossier.is-void")
    elif story.facts is None:
        said = text("dossier.no-outcome")
    else:
        facts = story.facts
        said = text(f"outcome.{facts.winner.value}", player=facts.player_total, banker=facts.banker_total)
    hands = "".join(_hand(hand, story.hands[hand]) for hand in Hand)
    return f'\n<section class="result">{_tag("p", said, "outcome")}<div class="hands">{hands}</div></section>'


def _hand(hand: Hand, cards: tuple[Card | None, ...]) -> str:
    name = text(f"hand.{hand.value}")
    known = tuple(card for card in cards if card is not None)
    complete = len(known) == len(cards) >= 2
    total = text("dossier.total", total=point_total(known)) if complete else ""
    shown = "".join(_card(card) for card in cards) or _tag("span", text("dossier.no-cards"), "none")
    return (
        f"<figure><figcaption>{_tag('b', name)} {_tag('span', total)}</figcaption>"
        f'<div class="cards">{shown}</div></figure>'
    )


def _card(card: Card | None) -> str:
    """A card as a small sheet: its rank, and its suit where it is known."""
    if card is None:
        return f'<span class="card back" role="img" aria-label="{text("dossier.face-down")}"></span>'
    sign = SIGNS[card.suit] if card.suit else ""
    kind = "card red" if card.suit in RED else "card"
    suit = _tag("i", f"{sign}\ufe0e" if sign else "")  # the second character asks for a plain sign
    return f'<span class="{kind}"><b>{card.rank.text}</b>{suit}</span>'


def _wagers(subject: Subject) -> str:
    if not subject.story.stakes:
        return _tag("p", text("dossier.no-wagers"))
    currency = subject.house.currency
    head = "".join(_tag("th", text(key), "n" if key in NUMBERS else "") for key in WAGER_COLUMNS)
    rows = "".join(_wager(stake, subject.rulebook, currency) for stake in subject.story.stakes)
    note = _tag("p", text("dossier.amounts", currency=currency.code), "note")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"


def _wager(stake: Stake, rulebook: Rulebook, currency: Currency) -> str:
    result = text(RESULTS[stake.result])
    if stake.odds:
        result = text("dossier.at-odds", result=result, odds=odds_in_words(stake.odds))
    if stake.commission:
        amount = format_amount(stake.commission, currency)
        result = text("dossier.less-commission", result=result, commission=amount)
    amounts = [stake.paid, stake.taken, stake.back]
    cells = [
        _tag("td", stake.patron),
        _tag("td", wager_name(stake.wager, rulebook)),
        _tag("td", format_amount(stake.stake, currency), "n"),
        f"<td>{html.escape(result)} {_cited(stake.clauses)}</td>",
        *(_tag("td", format_amount(amount, currency) if amount else "–", "n") for amount in amounts),
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _cited(clauses: Iterable[str]) -> str:
    once = ", ".join(dict.fromkeys(clauses))
    return _tag("small", once, "clauses") if once else ""


def _steps(steps: Sequence[StoryStep]) -> str:
    if not steps:
        return ""
    rows = "".join(f"<tr{' class=refused' if step.refused else ''}>{_step(step)}</tr>" for step in steps)
    head = "".join(_tag("th", text(key)) for key in STORY_COLUMNS)
    return f'<table class="steps"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _step(step: StoryStep) -> str:
    who = html.escape(step.person)
    if step.authoriser:
        who += "<br>" + _tag("small", text("dossier.authorised", person=step.authoriser))
    said = "".join(_said(line) for line in step.lines)
    return f'<td class="n">{step.record}</td><td>{_moment(step.moment)}</td><td>{who}</td><td>{said}</td>'


def _said(line: StoryLine) -> str:
    return f"<p>{html.escape(line.text)} {_cited(line.clauses)}</p>"


def _clauses(subject: Subject) -> str:
    """Every clause that was cited, in our words."""
    lines = [line for step in (*subject.story.steps, *subject.story.disputes) for line in step.lines]
    cited = {Clause(clause) for line in lines for clause in line.clauses}
    known = subject.rulebook.document.clauses
    rows = "".join(
        f"<tr>{_tag('th', clause)}{_in_english('td', known[clause].says)}</tr>"
        for clause in sorted(cited, key=clause_order)
        if clause in known
    )
    said = text("dossier.clauses-intro", document=subject.rulebook.document.name)
    if spoken_language() != FIRST_LANGUAGE:
        said += " " + text("dossier.clauses-english")
    intro = _tag("p", said, "note")
    return f'{intro}<table class="clauses"><tbody>{rows}</tbody></table>'


def _checking(subject: Subject) -> str:
    """How a stranger finds out whether this page is true."""
    checkpoint = subject.checkpoint
    last = subject.found.all_entries[-1].record
    if checkpoint is None:
        signed = _tag("p", text("dossier.unsigned"), "warning")
    else:
        signed = _tag(
            "p", text("dossier.signed", record=checkpoint.sequence, reason=checkpoint.reason)
        ) + _values({"dossier.key": checkpoint.key_id, "dossier.root": checkpoint.root.hex()})
    values = _values(
        {
            "dossier.digest": last.digest.hex(),
            "dossier.rulebook-digest": last.rulebook,
            "dossier.house-digest": last.house,
            "dossier.software": last.software,
        }
    )
    steps = "".join(_tag("li", text(key)) for key in TO_CHECK)
    command = "<pre>python verifier.py . --key …</pre>"
    return f"{_tag('p', text('dossier.checking-intro'))}<ol>{steps}</ol>{command}{signed}{values}"


def _values(values: dict[str, str]) -> str:
    rows = "".join(
        f"<dt>{html.escape(text(key))}</dt><dd><code>{html.escape(value)}</code></dd>"
        for key, value in values.items()
    )
    return f"<dl>{rows}</dl>"
