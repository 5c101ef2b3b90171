"""A rule document as tables: topic by topic, every row with its clauses."""

from collections import Counter

import msgspec
import pytest

from thirdcard.clauses import Clause
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.pages.lines import PageLine, PageTable
from thirdcard.rulebook.pages.show import find_clause, keys_citing, lines_citing, tables
from thirdcard.rulebook.procedure import DisputeSource, EquipmentItem, Grant, Limits
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED
from thirdcard.staff import Post

T3, S6, HO = "mbs-tiger-v3", "mbs-super-six-etg-v3", "hoiana-tiger-2024"


def topics(document: Document) -> dict[str, PageTable]:
    return {table.title: table for table in tables(document)}


def line(document: Document, topic: str, *about: str) -> PageLine:
    (found,) = (each for each in topics(document)[topic].lines if each.about == about)
    return found


def test_a_document_is_shown_topic_by_topic() -> None:
    assert list(topics(SHIPPED.document(T3))) == [
        "Identity",
        "Layouts",
        "Round",
        "Cards and hands",
        "Wagers on offer",
        "Wagers",
        "Table of play",
        "Methods of dealing",
        "Control of the dealing device",
        "Squeezing",
        "Shoe and free hand",
        "Limits",
        "Irregularities",
        "Authority",
        "Displays",
        "Terms",
        "Defects of the document",
    ]


def test_topics_that_a_document_leaves_out_are_left_out() -> None:
    assert list(topics(SHIPPED.document(S6))) == [
        "Identity",
        "Layouts",
        "Round",
        "Cards and hands",
        "Wagers on offer",
        "Wagers",
        "Table of play",
        "Irregularities",
        "Authority",
        "Terms",
        "Defects of the document",
    ]


def test_equipment_and_disputes_are_shown_where_a_document_has_them() -> None:
    hoiana = topics(SHIPPED.document(HO))
    assert {"Opening check list", "Disputes"} < hoiana.keys()
    assert "Methods of dealing" not in hoiana


# document, topic, what a row is about, what it says, its clauses
ROWS: list[tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = [
    (T3, "Identity", ("Version",), ("3",), ("Front.1",)),
    (T3, "Identity", ("In force",), ("2022-03-09T00:00:00+08:00",), ("Front.1",)),
    (T3, "Identity", ("Decks",), ("4 to 10, usually 8 (rule)",), ("2.1",)),
    (HO, "Identity", ("Decks",), ("4 to 10, usually 8 (assumed)",), ()),
    (
        HO,
        "Identity",
        ("Variants",),
        ("commission, non-commission",),
        ("2.2.5", "5.1.1", "2.2.10", "5.1.2"),
    ),
    (T3, "Layouts", ("E",), ("8 to 16",), ("App.E",)),
    (T3, "Layouts", ("H",), ("1 to 9 (assumed)",), ("App.H",)),
    (HO, "Layouts", ("1",), ("4, non-commission",), ("App.A.1",)),
    (T3, "Round", ("Begins with",), ("opening call",), ("1.1.7",)),
    (HO, "Round", ("Begins with",), ("first card",), ("2.2.13",)),
    (HO, "Round", ("First card also closes betting",), ("yes",), ("4.2",)),
    (
        S6,
        "Round",
        ("Betting closes with",),
        ("No more bets / Bets are closed (shown at the terminal)",),
        ("3.2",),
    ),
    (
        HO,
        "Round",
        ("Betting closes with",),
        ("No more bet, please (called by the Dealer)",),
        ("4.6",),
    ),
    (T3, "Wagers", ("Player", "tie"), ("stands off",), ("3.16.1",)),
    (
        T3,
        "Wagers",
        ("Banker", "Banker wins"),
        ("0.95 to 1 (1 to 1 less commission)",),
        ("4.1.T1", "3.16", "1.1.2"),
    ),
    (
        T3,
        "Wagers",
        ("Tiger Pair", "hands with a pair: both, the same pair"),
        ("100 to 1",),
        ("4.2.T3", "1.1.14.3", "1.1.14", "3.14"),
    ),
    (
        HO,
        "Wagers",
        ("Banker", "Banker wins, Banker total 6 [non-commission]"),
        ("1 to 2",),
        ("5.1.2.T1", "2.2.10", "5.1.2", "6.1.2.1"),
    ),
    (T3, "Table of play", ("Player", "5"), ("always", ""), ("3.15.T2",)),
    (T3, "Table of play", ("Player", "6"), ("", "always"), ("3.15.T3",)),
    (T3, "Table of play", ("Player", "8"), ("", "natural: nobody draws"), ("3.15.T1",)),
    (T3, "Table of play", ("Banker", "0"), ("always", ""), ("3.15.T4", "3.15.T10")),
    (
        T3,
        "Table of play",
        ("Banker", "3"),
        ("0 1 2 3 4 5 6 7 9 Player stood", "8"),
        ("3.15.T5", "3.15.T10"),
    ),
    (
        T3,
        "Table of play",
        ("Banker", "6"),
        ("6 7", "0 1 2 3 4 5 8 9 Player stood"),
        ("3.15.T8", "3.15.T10"),
    ),
    (HO, "Table of play", ("Banker", "9"), ("", "natural: nobody draws"), ("4.15.T7",)),
    (
        T3,
        "Methods of dealing",
        ("C",),
        (
            "drawn by a patron, device held by a patron, opened by whoever draws or squeezes; "
            "high-limit area; dealing device: card-reading",
            "Assistant Casino Manager",
        ),
        ("3.12", "3.12.1", "3.12.8", "3.12.3", "3.9.2"),
    ),
    (T3, "Squeezing", ("else by ruling",), ("Pit Supervisor",), ("3.10.4.1",)),
    (T3, "Squeezing", ("permission",), ("Pit Manager",), ("3.21",)),
    (HO, "Squeezing", ("highest wager on the table",), ("by rule",), ("4.7",)),
    (HO, "Squeezing", ("prohibition",), ("Pit Manager or above",), ("4.8",)),
    (T3, "Limits", ("Owners per playing area",), ("3",), ("3.7",)),
    (T3, "Limits", ("Fewer owners",), ("Pit Manager",), ("3.7.1",)),
    (T3, "Limits", ("Wagers placed by staff",), ("Dealer, Pit Supervisor, Pit Manager",), ("3.8",)),
    (T3, "Limits", ("Table differential means",), ("gap",), ("1.1.10", "5.18")),
    (HO, "Limits", ("Table differential means",), ("limit",), ("2.2.17", "4.3")),
    (
        T3,
        "Irregularities",
        ("Several cards drawn at once", "stage: after the initial deal or outcome known; order known: no"),
        ("the order of the cards is determined; patrons may withdraw all remaining wagers", "Pit Manager"),
        ("5.8.2", "5.8.2.2"),
    ),
    (
        T3,
        "Irregularities",
        ("Wrong payment", "next round opened: yes"),
        ("referred (play goes on or a payment is made)", "Gaming Shift Manager"),
        (),
    ),
    (
        S6,
        "Irregularities",
        ("Power failure", "always"),
        ("referred (the round is void or play goes on)", "post set by the house"),
        (),
    ),
    (
        T3,
        "Irregularities",
        ("Dealing device must be reset", "cards seen: no; dealing device: electronic"),
        ("patrons may withdraw single wagers; the dealing device is reset; betting reopens", "by rule"),
        ("5.9",),
    ),
    (T3, "Layouts", ("all",), ("a playing area for every wager",), ("2.2",)),
    (S6, "Layouts", ("all",), ("on the screen of each terminal",), ("2.2",)),
    (HO, "Layouts", ("all",), ("a playing area for every wager",), ("3.1", "App.A")),
    (T3, "Identity", ("Approved by the regulator",), ("yes",), ("Front.2",)),
    (HO, "Identity", ("House",), ("hoiana",), ()),
    (HO, "Round", ("Wagers are made",), ("in chips",), ("4.2",)),
    (S6, "Round", ("Wagers are made at terminals",), ("in credits",), ("1.1.5",)),
    (HO, "Round", ("A void round",), ("has no result",), ("2.2.20",)),
    (HO, "Cards and hands", ("A pair is",), ("two cards of one rank",), ("4.11.2.1",)),
    (T3, "Cards and hands", ("A pair is",), ("as the house sets it",), ("1.1.14",)),
    (HO, "Cards and hands", ("There are",), ("two hands, Player and Banker",), ("4.9", "4.9.1")),
    (HO, "Cards and hands", ("A total of zero is called",), ("baccarat",), ("2.2.1",)),
    (T3, "Wagers on offer", ("Tie",), ("tie", "side wager", "may be placed alone"), ("2.2.3", "3.5", "3.6")),
    (T3, "Wagers on offer", ("Player",), ("player", "on a hand", ""), ("2.2.2", "3.5")),
    (T3, "Wagers", ("Player", "otherwise"), ("loses",), ("3.16",)),
    (
        T3,
        "Control of the dealing device",
        ("Drawing without a wager is permitted by",),
        ("Assistant Casino Manager",),
        ("3.12.2",),
    ),
    (T3, "Methods of dealing", ("all",), ("may be changed until: opening call", ""), ("3.9", "3.9.2")),
    (T3, "Squeezing", ("Cards are handled",), ("by right of the wager",), ()),
    (HO, "Squeezing", ("Cards are handled",), ("on request",), ()),
    (HO, "Squeezing", ("Only seated patrons",), ("yes",), ()),
    (HO, "Shoe and free hand", ("Before the first round of a shoe",), ("cards are burned",), ("2.2.2",)),
    (
        T3,
        "Shoe and free hand",
        ("When the cutting card comes",),
        ("it is taken out, and the round is finished",),
        ("3.22",),
    ),
    (
        HO,
        "Shoe and free hand",
        ("A free hand announced as the last hand",),
        ("is the last of the shoe",),
        ("7.8.1",),
    ),
    (T3, "Displays", ("Where a display and the cards differ",), ("the cards prevail",), ("6.3",)),
    (HO, "Displays", ("The scoreboard",), ("shows the results",), ("3.2.2",)),
    (T3, "Authority", ("Higher posts may act",), ("yes",), ("6.2",)),
    (T3, "Authority", ("What no rule covers",), ("Gaming Shift Manager",), ("6.1",)),
    (S6, "Authority", ("What no rule covers",), ("post set by the house",), ()),
    (T3, "Authority", ("High-limit area",), ("Paiza Club, Ruby Room",), ("1.1.4",)),
    (HO, "Opening check list", ("Shuffling machine",), ("if required",), ("3.2.5",)),
    (HO, "Opening check list", ("Plunger",), ("required",), ("3.2.6",)),
    (HO, "Disputes", ("First level",), ("Dealer Inspector, Pit Supervisor",), ("8.1",)),
    (HO, "Disputes", ("Goes to",), ("Pit Manager",), ("8.1",)),
    (HO, "Disputes", ("Gathers the facts",), ("Pit Manager or above",), ("8.2",)),
    (
        HO,
        "Terms",
        ("Stand-off",),
        ("A wager that stands off neither wins nor loses.",),
        ("2.2.16",),
    ),
    (
        HO,
        "Defects of the document",
        ("4.15.T1",),
        ("Prints the instruction to draw in the column for standing.",),
        ("4.15.T1",),
    ),
]


@pytest.mark.parametrize(
    ("document", "topic", "about", "said", "clauses"),
    [pytest.param(*row, id=f"{row[0]} {row[2]}") for row in ROWS],
)
def test_a_row_says_what_its_clauses_say(
    document: str, topic: str, about: tuple[str, ...], said: tuple[str, ...], clauses: tuple[str, ...]
) -> None:
    shown = line(SHIPPED.document(document), topic, *about)
    assert (shown.said, shown.clauses) == (said, clauses)


def test_columns_have_headings_and_the_clause_column_is_not_among_them() -> None:
    play = topics(SHIPPED.document(T3))["Table of play"]
    assert (play.about, play.said) == (("Hand", "Total"), ("Draws", "Stands"))
    assert len(play.lines) == 20


def test_a_document_without_version_shows_none() -> None:
    about = {each.about for each in topics(SHIPPED.document("mbs-dragon-tiger-nc-2023"))["Identity"].lines}
    assert ("Version",) not in about
    assert ("In force",) in about


def test_limits_without_a_differential_show_none() -> None:
    hoiana = SHIPPED.document(HO)
    own = msgspec.structs.replace(hoiana, limits=Limits(posted=Clause("4.4")))
    assert topics(own)["Limits"].lines == (
        PageLine(("Posted minimum and maximum",), ("yes",), (Clause("4.4"),)),
    )


def test_powers_of_several_clauses_show_them_all() -> None:
    hoiana = SHIPPED.document(HO)
    assert hoiana.dispute is not None
    grants = tuple(Grant(Post("dealer"), Clause(clause)) for clause in ("8.1", "8.2", "8.1"))
    own = msgspec.structs.replace(
        hoiana,
        limits=Limits(posted=Clause("4.4"), placed_by_staff=grants),
        dispute=msgspec.structs.replace(hoiana.dispute, first_level=grants),
    )
    assert line(own, "Limits", "Wagers placed by staff").clauses == ("8.1", "8.2")
    assert line(own, "Disputes", "First level").clauses == ("8.1", "8.2")


def test_who_answers_complaints_is_shown_where_the_document_says_it() -> None:
    hoiana = SHIPPED.document(HO)
    assert line(hoiana, "Disputes", "Complaints are answered by").said == ("Senior Management",)
    assert hoiana.dispute is not None
    own = msgspec.structs.replace(hoiana, dispute=msgspec.structs.replace(hoiana.dispute, complaint_to=None))
    assert ("Complaints are answered by",) not in {each.about for each in topics(own)["Disputes"].lines}


def test_things_that_the_language_files_do_not_know_are_shown_by_their_id() -> None:
    hoiana = SHIPPED.document(HO)
    assert hoiana.dispute is not None
    source = (DisputeSource("coin-toss", Clause("8.4.7")),)
    own = msgspec.structs.replace(
        hoiana,
        equipment=(EquipmentItem("crystal-ball", Clause("3.2.1")),),
        dispute=msgspec.structs.replace(hoiana.dispute, source=source),
    )
    assert line(own, "Opening check list", "crystal-ball").said == ("required",)
    assert line(own, "Disputes", "Decision has regard to").said == ("coin-toss",)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_two_rows_of_a_table_are_about_the_same(document: str) -> None:
    for table in tables(SHIPPED.document(document)):
        times = Counter(each.about for each in table.lines)
        assert [about for about, number in times.items() if number > 1] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_clause_that_a_row_names_is_one_of_the_document(document: str) -> None:
    shown = SHIPPED.document(document)
    cited = {clause for table in tables(shown) for each in table.lines for clause in each.clauses}
    assert cited <= shown.clauses.keys()


@pytest.mark.parametrize(
    ("document", "wanted", "clause"),
    [
        (T3, "5.8.2.2", "5.8.2.2"),
        (T3, "table differential", "1.1.10"),
        (HO, "table differential", "2.2.17"),
        (T3, "HLGA", "1.1.4"),
        (T3, "hlga", "1.1.4"),
        (T3, "9.9", None),
        (S6, "table differential", None),
    ],
)
def test_a_clause_is_found_by_its_number_or_by_the_term_that_it_defines(
    document: str, wanted: str, clause: str | None
) -> None:
    assert find_clause(SHIPPED.document(document), wanted) == clause


def test_the_table_differential_means_one_thing_in_singapore_and_another_in_vietnam() -> None:
    singapore, vietnam = SHIPPED.document(T3), SHIPPED.document(HO)
    assert singapore.clauses[Clause("1.1.10")].says == (
        "The table differential is the gap between everything staked on Player "
        "and everything staked on Banker."
    )
    assert vietnam.clauses[Clause("2.2.17")].says == (
        "The table differential is the largest gap allowed between all stakes on Player "
        "and all stakes on Banker."
    )


def test_the_rows_that_rest_on_a_clause_come_with_the_title_of_their_table() -> None:
    resting = lines_citing(SHIPPED.document(T3), Clause("3.9.2"))
    assert [(title, each.about) for title, each in resting] == [
        ("Methods of dealing", ("A",)),
        ("Methods of dealing", ("B",)),
        ("Methods of dealing", ("C",)),
        ("Methods of dealing", ("all",)),
    ]


def test_commission_is_found_in_the_row_that_pays_less_it() -> None:
    resting = lines_citing(SHIPPED.document(T3), Clause("1.1.2"))
    assert [each.about for title, each in resting if title == "Wagers"] == [("Banker", "Banker wins")]


def test_the_keys_that_cite_a_clause_are_those_of_the_file() -> None:
    assert keys_citing(SHIPPED.document(T3), Clause("4.3.T1")) == ("wager[tiger].pays[0].clause",)
    assert keys_citing(SHIPPED.document(T3), Clause("3.1")) == (
        "round.opening.clause",
        "reading[AMB-52].clauses[1]",
    )


def test_a_wager_that_favours_the_patron_and_rows_in_order_are_remarked_upon() -> None:
    tiger = SHIPPED.document(T3)
    first, *rest = tiger.wagers
    own = msgspec.structs.replace(first, ordered=True, allow_patron_edge="a gift", alone=Clause("3.6"))
    shown = line(msgspec.structs.replace(tiger, wagers=(own, *rest)), "Wagers on offer", first.name)
    assert shown.said[-1] == (
        "may be placed alone; the first row that holds counts; offered although it favours the patron: a gift"
    )
