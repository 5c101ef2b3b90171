"""The PAR sheet: complete, well-formed, and with the figures of the exact odds."""

import datetime
import re
from fractions import Fraction
from xml.etree import ElementTree

import msgspec
import pytest

from thirdcard.odds import pictures
from thirdcard.odds.par import par_figures, software_digest
from thirdcard.odds.sheet import sheet
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED


def page_of(rulebook: Rulebook) -> str:
    return sheet(par_figures(rulebook, 8, PairRule.RANK, datetime.date(2026, 11, 19)))


def tiger() -> Rulebook:
    return SHIPPED.rulebook("mbs-tiger-nc-v4")


@pytest.mark.parametrize("rulebook", SHIPPED.rulebooks, ids=lambda book: book.id)
def test_a_sheet_has_every_wager_and_both_digests(rulebook: Rulebook) -> None:
    page = page_of(rulebook)
    assert rulebook.digest in page
    assert software_digest() in page
    for wager in rulebook.wagers.values():
        assert f"<h3>{wager.name}</h3>" in page


def test_a_sheet_shows_counts_edges_deviation_hit_rate_and_contribution() -> None:
    page = page_of(tiger())
    for shown in ("2,230,518,282,592,256", "1.2351%", "0.9512", "44.6247%", "84.7467%", "4.3.T4, 1.1.1"):
        assert shown in page
    assert "House edge exactly 241149546272/19524993263685 = 1.235081% of the stake." in page


def test_the_rows_of_a_wager_together_are_every_draw_and_return_the_stake_less_the_edge() -> None:
    page = page_of(tiger())
    together = re.findall(
        r"<tr><td>together</td><td></td><td>(.*?)</td><td>1</td><td></td><td>(.*?)</td>", page
    )
    assert len(together) == 8
    assert together[0] == ("4,998,398,275,503,360", "98.7649%")  # 1.2351 % of Player is the house's


def test_a_printed_page_says_which_game_and_rulebook_it_is_about() -> None:
    page = page_of(tiger())
    digest = tiger().digest[:16]
    assert f'content: "Tiger No Commission Baccarat (mbs-tiger-nc-v4), {digest}"' in page
    quoted = page_of(msgspec.structs.replace(tiger(), name='Tiger "} & Co'))
    assert 'content: "Tiger \\22 \\7d  \\26  Co (mbs-tiger-nc-v4)' in quoted


def test_every_picture_is_well_formed_and_says_what_it_shows() -> None:
    found = re.findall(r"<svg.*?</svg>", page_of(tiger()), re.DOTALL)
    assert len(found) == 15
    for picture in found:
        title = ElementTree.fromstring(picture).find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert title.text


def test_a_game_without_main_wagers_has_a_sheet_too() -> None:
    book = tiger()
    alone = msgspec.structs.replace(book, id="tie-alone", wagers={"tie": book.wagers["tie"]})
    page = sheet(par_figures(alone, 4, PairRule.POINT_VALUE, datetime.date(2026, 11, 19)))
    assert "How rounds end" not in page
    assert "a ten with a court card" in page


def test_a_wager_that_never_pays_is_drawn_as_nothing() -> None:
    assert 'width="0.0"' in pictures.bars([("never", 0.0, "0 %")], about="edges")
    assert "height" in pictures.bars([], about="none")
    assert pictures.PATRON in pictures.bars([("patron", -0.5, "-50 %")], about="edges")
    assert ">0</text>" in pictures.removal_map({"tie": (Fraction(0),) * 13}, {"tie": "Tie"}, about="removal")
