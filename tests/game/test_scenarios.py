"""All scenarios for all their games: as round files, or as tests named after them."""

import datetime
import inspect
import sys

import pytest
from conftest import Cite
from game.round_index import round_scenarios
from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game.decide import decide
from thirdcard.game.events import TableSetUp
from thirdcard.game.table_setup import Device, Setup
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.pages.show import find_clause
from thirdcard.rulebook.shelf import SHIPPED

N4, T3, DT = "mbs-tiger-nc-v4", "mbs-tiger-v3", "mbs-dragon-tiger-nc-2023"
S6 = "mbs-super-six-etg-v3"
HC, HN = "hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission"
GAMES = {"N4": (N4,), "T3": (T3,), "DT": (DT,), "S6": (S6,), "HO": (HC, HN)}
TABLE, ELECTRONIC, HOIANA = "N4 T3 DT", "S6", "HO"

SCENARIOS = {
    "S001": "N4 T3 DT S6 HO",
    "S002": "N4 T3 DT S6",
    "S003": "N4",
    "S004": "T3",
    "S005": "DT",
    "S006": "HO",
    "S007": "HO",
    "S008": "S6",
    "S009": "N4 T3 DT",
    "S010": "HO",
    "S011": "N4 T3 DT S6 HO",
    "S012": "T3 DT HO",
    "S013": "N4 T3 DT",
    "S014": "N4 T3 DT",
    "S015": "N4 T3 DT",
    "S016": "N4 T3 DT",
    "S017": "N4 T3 DT",
    "S018": "HO",
    "S019": "N4 T3 DT S6 HO",
    "S020": "N4 T3 DT S6 HO",
    "S021": "N4 T3 DT S6 HO",
    "S022": "N4 T3 DT S6 HO",
    "S023": "N4 T3 DT S6 HO",
    "S024": "N4 T3 DT S6 HO",
    "S025": "HO",
    "S026": "N4 DT",
    "S027": "T3",
    "S028": "HO",
    "S029": "S6",
    "S030": "N4 T3 DT S6 HO",
    "S031": "N4 T3 DT HO",
    "S032": "N4 T3 DT HO",
    "S033": "N4 T3",
    "S034": "N4 T3",
    "S035": "N4 T3 S6 HO",
    "S036": "S6 HO",
    "S037": "S6",
    "S038": "DT",
    "S039": "DT",
    "S040": "HO",
    "S041": "N4 T3 DT",
    "S042": "N4 T3 DT",
    "S043": "N4 T3 DT",
    "S044": "N4 T3 DT",
    "S045": "N4 T3 DT",
    "S046": "N4 T3 DT",
    "S047": "N4 T3 DT",
    "S048": "HO",
    "S049": "N4 T3 DT",
    "S050": "N4 T3 DT",
    "S051": "HO",
    "S052": "N4 T3 DT S6 HO",
    "S053": "N4 T3 DT S6",
    "S054": "N4 T3 DT S6 HO",
    "S055": "N4 T3 DT HO",
    "S056": "N4 T3 DT",
    "S057": "N4 T3 DT",
    "S058": "N4 T3 DT",
    "S059": "N4 T3 DT S6",
    "S060": "N4 T3 DT",
    "S061": "N4 T3 DT",
    "S062": "N4 T3 DT HO",
    "S063": "N4 T3 DT",
    "S064": "N4 T3 DT",
    "S065": "N4 T3 DT",
    "S066": "N4 T3 DT HO",
    "S067": "N4 T3 DT HO",
    "S068": "N4 T3 DT",
    "S069": "N4 T3 DT",
    "S070": "N4 T3 DT",
    "S071": "S6",
    "S072": "HO",
    "S073": "HO",
    "S074": "HO",
    "S075": "HO",
    "S076": "HO",
    "S077": "HO",
    "S078": "HO",
    "S079": "HO",
    "S080": "HO",
    "S081": "HO",
    "S082": "N4 T3 DT HO",
    "S083": "N4 T3 DT",
    "S084": "N4 T3 DT HO",
    "S085": "HO",
}


def test_every_scenario_runs_for_every_game_it_names() -> None:
    assert len(SCENARIOS) == 85
    done = round_scenarios()
    for name, _ in inspect.getmembers(sys.modules[__name__], inspect.isfunction):
        if name.startswith("test_s0"):
            scenario = name[5:9].upper()
            done |= {(scenario, game) for short in SCENARIOS[scenario].split() for game in GAMES[short]}
    missing = [
        (scenario, game)
        for scenario, shorts in SCENARIOS.items()
        for short in shorts.split()
        for game in GAMES[short]
        if (scenario, game) not in done
    ]
    assert missing == []


def set_up(
    game: str,
    layout: str | None,
    positions: int,
    at: str = "2025-01-01T00:00:00+00:00",
    *,
    training: bool = False,
) -> object:
    """Whether a table can be set up: the event, or the refusal."""
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    device = Device.CARD_READING if book.document.equipment else Device.PLAIN
    setup = Setup(
        table="T",
        game=game,
        house=house.id,
        layout=layout,
        positions=positions,
        area=Area.MAIN_FLOOR,
        device=device,
        decks=8,
        terminal=game == S6,
        face_down=False,
        automatic=(),
        limits=(),
        differential=0,
        training=training,
    )
    envelope = cmd.Envelope(actor="T", received_at=datetime.datetime.fromisoformat(at), command_id="1")
    result = decide(book, house, None, cmd.Command(cmd.SetUpTable(setup=setup), envelope))
    return result if isinstance(result, Refused) else result[0]


@pytest.mark.parametrize(
    ("game", "before", "since"),
    [
        (N4, "2020-01-22T23:59:59+08:00", "2020-01-23T00:00:00+08:00"),
        (T3, "2022-03-08T23:59:59+08:00", "2022-03-09T00:00:00+08:00"),
        (DT, "2023-12-06T23:59:59+08:00", "2023-12-07T00:00:00+08:00"),
        (S6, "2017-02-16T23:59:59+08:00", "2017-02-17T00:00:00+08:00"),
        (HC, "2024-09-30T23:59:59+07:00", "2024-10-01T00:00:00+07:00"),
        (HN, "2024-09-30T23:59:59+07:00", "2024-10-01T00:00:00+07:00"),
    ],
)
def test_s001_no_table_opens_under_a_rulebook_before_it_is_in_force(
    game: str, before: str, since: str, cite: Cite
) -> None:
    own = SHIPPED.rulebook(game).document.layouts.layout
    variant = game.partition("/")[2]
    layout = next((each for each in own if each.variant in (None, variant)), None)
    arguments = (game, layout.id if layout else None, layout.least if layout else 0)
    refused = set_up(*arguments, at=before)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.clauses) == (Refusal.NOT_YET_IN_FORCE, ("Front.1",))
    cite(SHIPPED.rulebook(game).document.id, refused)
    assert isinstance(set_up(*arguments, at=since), TableSetUp)


def test_s001_a_term_has_the_meaning_of_its_own_document() -> None:
    meanings = {
        document: SHIPPED.document(document).clauses[clause].says
        for document in (N4, "hoiana-tiger-2024")
        if (clause := find_clause(SHIPPED.document(document), "table differential"))
    }
    assert len(set(meanings.values())) == 2


# layout, fewest positions, most positions; from the appendices
LAYOUTS = {
    N4: {"A": (1, 8), "B": (1, 8), "C": (1, 8), "D": (1, 9), "E": (8, 16), "F": (1, 6), "G": (1, 6)},
    T3: {
        "A": (1, 8),
        "B": (1, 8),
        "C": (1, 8),
        "D": (1, 9),
        "E": (8, 16),
        "F": (1, 8),
        "G": (1, 8),
        "H": (1, 9),
    },
    DT: {
        "A": (1, 8),
        "B": (1, 8),
        "C": (1, 8),
        "D": (1, 9),
        "E": (8, 16),
        "F": (1, 8),
        "G": (1, 8),
        "H": (1, 8),
        "I": (1, 8),
        "J": (1, 8),
        "K": (1, 8),
    },
    HN: {"1": (4, 4), "2": (6, 6)},
    HC: {"3": (4, 4), "4": (6, 6)},
}


def check_layouts(game: str, cite: Cite, appendix: str) -> None:
    document = SHIPPED.rulebook(game).document.id
    for layout, (least, most) in LAYOUTS[game].items():
        undrawn = (game, layout) == (T3, "H")  # 2.2 lists it, and no page draws it
        for positions in (least, most):
            placed = set_up(game, layout, positions, training=undrawn)
            assert isinstance(placed, TableSetUp)
            cite(document, placed)
        for positions in (least - 1, most + 1):
            refused = set_up(game, layout, positions, training=undrawn)
            assert isinstance(refused, Refused)
            assert (refused.reason, refused.clauses) == (
                Refusal.POSITIONS_NOT_OFFERED,
                (f"{appendix}.{layout}",),
            )
            cite(document, refused)
    refused = set_up(game, "Z", 4)
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.LAYOUT_NOT_OFFERED
    cite(document, refused)


def test_s003_layouts_of_the_no_commission_tiger_game(cite: Cite) -> None:
    check_layouts(N4, cite, "App")
    assert isinstance(set_up(N4, "H", 1), Refused)


def test_s004_layouts_of_the_commission_tiger_game(cite: Cite) -> None:
    check_layouts(T3, cite, "App")


def test_s005_layouts_of_the_dragon_tiger_game_and_its_chinese_labels(cite: Cite) -> None:
    check_layouts(DT, cite, "App")
    layouts = {each.id: each for each in SHIPPED.rulebook(DT).document.layouts.layout}
    assert layouts["K"].labels["zh-Hans"]["player"] == "闲"
    assert layouts["K"].labels["zh-Hans"]["banker"] == "庄"
    assert set(layouts["K"].labels["zh-Hans"]) == set(SHIPPED.rulebook(DT).wagers)


def test_s006_a_hoiana_layout_fixes_version_and_places(cite: Cite) -> None:
    for game in (HC, HN):
        check_layouts(game, cite, "App.A")
    wrong_version = set_up(HC, "1", 4)
    assert isinstance(wrong_version, Refused)
    assert (wrong_version.reason, wrong_version.clauses) == (Refusal.LAYOUT_NOT_OFFERED, ("App.A.1",))


def test_s006_every_hoiana_table_needs_a_card_reading_device() -> None:
    book = SHIPPED.rulebook(HC)
    house = SHIPPED.house("hoiana")
    placed = set_up(HC, "3", 4)
    assert isinstance(placed, TableSetUp)
    plain = cmd.SetUpTable(setup=replace(placed.setup, device=Device.PLAIN))
    at = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
    envelope = cmd.Envelope(actor="T", received_at=at, command_id="1")
    refused = decide(book, house, None, cmd.Command(plain, envelope))
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.clauses) == (Refusal.DEVICE_NOT_SUITABLE, ("3.2.1",))
