"""Every key that the code uses has a sentence, every sentence is used, and each gets what it names."""

import ast
import enum
import functools
import string
import tomllib
import typing
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

import thirdcard
from thirdcard.client.bot import BotEnd, StaffTask
from thirdcard.devices.reader_lines import WhyNot
from thirdcard.floor.commands import FloorBody
from thirdcard.floor.state import Office
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.causes import Cause
from thirdcard.game.commands import Body, HeldChoice, PlainRuling
from thirdcard.game.events import Event
from thirdcard.game.planned import Stop
from thirdcard.game.settlement import Result
from thirdcard.game.shoe import NewCards
from thirdcard.game.state import Phase, Wait
from thirdcard.messages import languages, sentences
from thirdcard.refusals import Refusal
from thirdcard.reports.rows import REPORT_COLUMNS
from thirdcard.reports.workbook import ABOUT
from thirdcard.roundfile.actions import TOLD_FACTS
from thirdcard.rulebook.document import Counting, Deal, OutcomeRule, PairsRule, WagerForm
from thirdcard.rulebook.facts import PairRule, Pairs, When, Winner
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import (
    Area,
    CardNeed,
    Circumstances,
    Effect,
    FreeHand,
    Preset,
    Situation,
    Stage,
    Withdrawable,
)
from thirdcard.rulebook.pages.coverage import Piece, ProofKind, Status
from thirdcard.rulebook.procedure import (
    Announcement,
    Burn,
    ClauseMoment,
    CuttingCard,
    DeviceControl,
    Display,
    DisputeEvidence,
    FreeHandPolicy,
    MethodOfDealing,
    SqueezeRule,
    Squeezing,
)
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.training.dealing import Skill
from thirdcard.training.faults import FAULTS
from thirdcard.training.grade import Aspect
from thirdcard.training.milestones import CLAIMS
from thirdcard.training.shipped_words import shipped_words, telling_key, title_key
from thirdcard.training.step_sentences import PLAIN_STEPS
from thirdcard.training.titles import EXERCISE_PACK, FAULT_PACK, TRAINER_PACK
from thirdcard.views.questions import CARD_CHOICES, Ask
from thirdcard.views.sections.cases import DutyKind

ENGLISH = sentences("en")
# sections of a document that are shown by a sentence for each of their keys
RULED: dict[str, tuple[str, ...]] = {
    "deal": Deal.__struct_fields__,
    "counting": Counting.__struct_fields__,
    "drawing": ("clause", "natural_clause", "player_clause", "banker_clause"),
    "outcome": OutcomeRule.__struct_fields__,
    "round": ("chips_only", "credits", "result_call", "void"),
    "control": tuple(name for name in DeviceControl.__struct_fields__ if name != "without_wager"),
    "squeezing": ("meaning", "request", "reveal_order", "third_cards"),
    "burn": Burn.__struct_fields__,
    "cutting-card": CuttingCard.__struct_fields__,
    "free-hand": FreeHandPolicy.__struct_fields__,
    "display": Display.__struct_fields__,
}
TREES = {
    path.relative_to(Path(thirdcard.__file__).parent).as_posix(): ast.parse(path.read_text("utf-8"))
    for path in sorted(Path(thirdcard.__file__).parent.rglob("*.py"))
}

FILES = {"round.html", "round.json"}  # names of files that look like keys

# the sections that records are told in, besides those that screens say
TOLD = {
    "alarm",
    "alert",
    "choice",
    "deed",
    "dispute",
    "dossier",
    "event",
    "finding",
    "refusal",
    "report",
    "ruling",
    "said",
}
# sentences about things that a later part of the house will do
WAITING = {
    *("card-state.face-down", "card-state.seen", "card-state.exposed"),
}


def strings(node: ast.AST) -> Iterator[str]:
    """Every whole text that stands in a piece of code; the pieces of an f-string are none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from strings(child)


@functools.cache
def all_calls() -> dict[str, list[ast.Call]]:
    """Every call of a function that is named, by its name."""
    found: defaultdict[str, list[ast.Call]] = defaultdict(list)
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found[node.func.id].append(node)
    return found


def calls(*names: str) -> Iterator[ast.Call]:
    """Every call of a function by one of these names."""
    for name in names:
        yield from all_calls()[name]


def written_out() -> set[str]:
    """Keys that stand in the code as they are: a section of the language file, a dot, and a name."""
    sections = {key.partition(".")[0] for key in ENGLISH}
    texts = {text.removeprefix("@") for tree in TREES.values() for text in strings(tree)}
    return {
        text
        for text in texts
        if text.partition(".")[0] in sections and text.partition(".")[2].replace("-", "").isalnum()
    } - FILES


def problems() -> set[str]:
    """Problems are raised by their name; the reader picks some of the names by the complaint it gets."""
    raised = calls("problem", "unknown")
    names = {str(call.args[0].value) for call in raised if isinstance(call.args[0], ast.Constant)}
    by_complaint = [
        TREES["rulebook/complaints.py"],
        *(
            node
            for node in ast.walk(TREES["rulebook/read.py"])
            if isinstance(node, ast.FunctionDef) and node.name == "_refine"
        ),
    ]
    told = {key.split(".")[1] for key in ENGLISH if key.startswith("problem.")}
    names |= {text for node in by_complaint for text in strings(node) if text in told}
    return {f"problem.{name}.{part}" for name in names for part in ("what", "do")}


def headings() -> set[str]:
    """Headings about a rulebook are named without their section."""
    names = {text for call in calls("_columns") for argument in call.args for text in strings(argument)}
    names |= {text for call in calls("table") for part in call.args[:3] for text in strings(part)}
    names |= {text for call in calls("item") for text in strings(call.args[0])}
    return {f"show.{name}" for name in names | {"permission", "prohibition"}}


def values_of(kind: type[enum.Enum]) -> tuple[str, ...]:
    return tuple(member.value for member in kind)


def tags(union: object) -> tuple[str, ...]:
    """The names of the kinds that a union is made of."""
    return tuple(str(kind.__struct_config__.tag) for kind in typing.get_args(union))


def choices(kind: type[Struct], field: str) -> tuple[str, ...]:
    """The values of a field that is a closed list of texts."""
    return typing.get_args(typing.get_type_hints(kind)[field])


def from_values() -> set[str]:
    """Keys that are put together from a section and a value of a closed list."""
    families = {**_of_rulebooks(), **_of_tables()}
    return {f"{section}.{value}" for section, values in families.items() for value in values}


def _of_rulebooks() -> dict[str, tuple[str, ...]]:
    return {
        "outcome": values_of(Winner),
        "result": values_of(Result),
        "status": values_of(Status),
        "proof-kind": values_of(ProofKind),
        "piece": values_of(Piece),
        "refusal": values_of(Refusal),
        "winner": values_of(Winner),
        "pairs": values_of(Pairs),
        "stage": values_of(Stage),
        "area": values_of(Area),
        "situation": values_of(Situation),
        "withdraw": values_of(Withdrawable),
        "fact": When.__struct_fields__,
        "circumstance": Circumstances.__struct_fields__,
        "effect": tags(Effect),
        "preset": (*Preset, *(f"{choice}-all" for choice in CARD_CHOICES)),
        "question": values_of(Ask),
        "need": tuple(f"{need}{on}" for need in CardNeed for on in ("", "-all-withdrew")),
        "device": (*choices(MethodOfDealing, "device"), "electronic"),
        "who": tuple(each for field in ("drawn_by", "opened_by") for each in choices(MethodOfDealing, field)),
        "kind": ("str", "int", "float", "bool", "array", "object", "null", "datetime", "date", "time"),
        "wager-kind": choices(WagerForm, "kind"),
        "pair-rule": choices(PairsRule, "rule"),
        "squeeze-basis": choices(Squeezing, "basis"),
        "rule": tuple(
            f"{section}.{name.replace('_', '-')}.{part}"
            for section, names in RULED.items()
            for name in names
            for part in ("name", "says")
        ),
    }


def _of_tables() -> dict[str, tuple[str, ...]]:
    return {
        "new-cards": tuple(NewCards),
        "handed-back": (
            "betting-closed",
            "under-minimum",
            "over-maximum",
            "free-hand-due",
            "free-hand-under-way",
        ),
        "ruling": ("allow", "deny"),
        "choice": (PlainRuling.ORDER, *typing.get_args(HeldChoice)),
        "free-hand": choices(FreeHand, "round"),
        "moment": choices(ClauseMoment, "at"),
        "squeeze": choices(SqueezeRule, "rule"),
        "show": (
            *(f"by-{who}" for who in choices(Announcement, "by")),
            *(f"gathered-{needs}" for needs in typing.get_args(DisputeEvidence)),
        ),
        "step": tuple(f"{step}{against}" for step in ("draws", "stands") for against in ("", "-against")),
        "carried-out": tags(Effect),
        "not-carried-out": ("offer-withdrawal", "determine-card-order", "free-hand", "expose-by-dealer"),
        "duty": values_of(DutyKind),
        "wait": values_of(Wait),
        "stop": values_of(Stop),
        "phase": values_of(Phase),
        "alarm": values_of(AlarmKind),
        "alert": tuple(
            f"money-{each.value}" for each in MoneyAct if each not in (MoneyAct.TERMINAL, *COUNTS)
        ),
        "cause": values_of(Cause),
        "office": values_of(Office),
        "deed": (*tags(Body), *tags(FloorBody)),
        "receipt": ("wager-placed", "wager-reduced", "credits-bought", "credits-cashed-out"),
        "reader": values_of(WhyNot),
        "event": (
            *tags(Event),
            "wager-returned",
            *(f"{tag}-by-two" for tag in BY_TWO),
            *ENTERED,
            *(f"{tag}-too-little" for tag in ("wrong-payment-found", "payment-corrected")),
            *(f"wager-{result}{part}" for result in values_of(Result) for part in ("", "-in-part")),
        ),
        "report": tuple(name.replace("_", "-") for name in (*REPORT_COLUMNS, *ABOUT)),
        "sheet": tuple(f"pairs-by-{rule.value}" for rule in PairRule),
        "doctor": (
            *("version", "python", "kernel", "kernels", "library"),
            *("rulebooks", "data", "journal", "archive", "keys", "marks", "screens"),
        ),
        "bot": (
            *values_of(BotEnd),
            *(f"{done}-{task}" for task in values_of(StaffTask) for done in ("waits", "nobody")),
        ),
        "archive": (
            *("volume", "tables", "records", "bytes", "state"),
            *("state-archived", "state-waiting", "state-missing"),
        ),
        "check": (
            *("good", "odd", "bad", "about-floor", "about-shelf", "about-keys", "about-folders"),
            *(
                "about-journal",
                "about-mark",
                "about-archive",
                "about-disk",
                "about-port",
                "about-certificate",
            ),
        ),
        "train-situation": (
            *values_of(Situation),
            *("wrong-payment-too-little", "old-limit-mistake-too-little"),
        ),
        "train-fact": (
            *(f"{fact}-{so}" for fact in TOLD_FACTS for so in ("yes", "no")),
            *("previous-round", "paying", "dealt"),
        ),
        "train-aspect": tuple(Aspect),
        "train-fault": tuple(FAULTS),
        "train-skill": tuple(Skill),
        "train-step": tuple(PLAIN_STEPS.values()),
        "train-claim": tuple(CLAIMS),
        "settle": ("wager", "stake", "result", "odds", "paid", "commission", "net", "clause"),
    }


# by two people always: an alert comes with a count that differs
COUNTS = (MoneyAct.OPENER, MoneyAct.CLOSER, MoneyAct.DROP_COUNT)
# what a patron says in a dispute, and staff can enter for the patron
ENTERED = (
    "patron-answered-entered",
    "receipt-confirmed-entered",
    "complaint-filed-entered",
    "complaint-filed-late-entered",
)
# what two people may do, said with both names
BY_TWO = (
    "chips-bought",
    "dispute-decided",
    "dispute-escalated",
    "information-gathered",
    "information-gathered-for",
    "information-gathered-payee",
    "surveillance-informed",
    "inspector-informed",
    "patron-answered-entered",
    "award-credited",
    "award-paid",
    "receipt-confirmed-entered",
    "complaint-received",
    "complaint-answered",
    "ruling-made",
    "irregularity-reported",
    "facts-confirmed",
    "facts-disproved",
    "report-withdrawn",
)


def from_files() -> set[str]:
    """Keys that the shipped rulebooks, houses and drills name."""
    used: set[str] = set()
    used |= {
        "drill-pack.own",
        f"drill-pack.{FAULT_PACK}",
        f"drill-pack.{EXERCISE_PACK}",
        f"drill-pack.{TRAINER_PACK}",
    }  # in records alone
    for name, words in shipped_words().items():
        used.add(f"drill-pack.{name.partition('/')[0]}")
        used |= {title_key(words.title), *(telling_key(name, at + 1) for at in range(len(words.tellings)))}
    for document in SHIPPED.documents:
        used |= {*document.round.opening.calls, *document.round.closing.calls}
        used |= {f"post.{post}" for post in document.authority.posts}
        used |= {f"equipment.{item.id}" for item in document.equipment}
        used |= {f"dispute.{source.id}" for source in (document.dispute.source if document.dispute else ())}
    return used | {f"post.{post}" for house in SHIPPED.houses for post in house.form.posts}


@functools.cache
def all_used() -> set[str]:
    return written_out() | problems() | headings() | from_values() | from_files()


def test_every_key_that_is_used_has_a_sentence() -> None:
    assert all_used() - ENGLISH.keys() == set()


def test_every_sentence_is_used() -> None:
    assert ENGLISH.keys() - all_used() - WAITING == set()


@pytest.mark.parametrize("language", sorted(languages() - {"en"}))
def test_records_are_told_completely_in_every_language(language: str) -> None:
    """The story of a round, its dossier, and the findings of a proof."""
    other = own_sentences(language)
    told = [key for key in ENGLISH if key.partition(".")[0] in TOLD]
    assert [key for key in told if key not in other] == []
    assert [key for key in told if parameters(other[key]) != parameters(ENGLISH[key])] == []


def own_sentences(language: str) -> dict[str, str]:
    """The sentences of a language's own file, none taken from English."""
    file = Path(thirdcard.__file__).parent / "languages" / f"{language}.toml"
    return {
        f"{section}.{name}": str(text)
        for section, texts in tomllib.loads(file.read_text("utf-8")).items()
        for name, text in texts.items()
    }


def parameters(text: str) -> set[str]:
    """The parameters that a sentence names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_what_waits_for_its_use_is_there() -> None:
    assert WAITING - ENGLISH.keys() == set()


def test_no_sentence_is_empty() -> None:
    assert [key for key, sentence in ENGLISH.items() if not sentence.strip()] == []


def placeholders(key: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(ENGLISH[key]) if name is not None}


def spoken() -> Iterator[tuple[str, set[str]]]:
    """Keys written out in a call with all their parameters by name, and these parameters."""
    for call in calls("message", "text", "_text"):
        given = {keyword.arg for keyword in call.keywords if keyword.arg}
        first = call.args[0]
        if isinstance(first, ast.Constant) and len(given) == len(call.keywords):
            yield str(first.value), given


def problems_and_refusals() -> Iterator[tuple[set[str], set[str]]]:
    """The keys of a problem or a refusal, and the parameters it is raised with."""
    for call in calls("problem", "refuse"):
        given = {keyword.arg for keyword in call.keywords if keyword.arg}
        if len(given) < len(call.keywords):
            continue
        match call.args[0]:
            case ast.Constant(value=str(name)):
                yield {f"problem.{name}.what", f"problem.{name}.do"}, given
            case ast.Attribute(attr=name):
                yield {f"refusal.{Refusal[name].value}"}, given


@pytest.mark.parametrize(("key", "given"), [pytest.param(*each, id=each[0]) for each in spoken()])
def test_a_sentence_gets_exactly_the_parameters_that_it_names(key: str, given: set[str]) -> None:
    assert placeholders(key) == given


@pytest.mark.parametrize(
    ("keys", "given"), [pytest.param(*each, id=min(each[0])) for each in problems_and_refusals()]
)
def test_a_problem_or_refusal_gets_exactly_the_parameters_that_it_names(
    keys: set[str], given: set[str]
) -> None:
    assert {name for key in keys for name in placeholders(key)} == given
