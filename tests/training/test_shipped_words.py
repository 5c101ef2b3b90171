"""The titles and tellings of shipped drills: in every language, and of no drill of a trainer."""

import datetime

import pytest
from trainees import drills, rehearsal_of, rehearsed, session

from thirdcard.messages import languages, say, sentences, speaking
from thirdcard.reports.files import ReportForm
from thirdcard.reports.training_files import training_file
from thirdcard.reports.training_paper import SIGNATURE_LINES
from thirdcard.reports.training_rows import PACK_HEADINGS, RESULT_COLUMNS, cells_of, pack_cells
from thirdcard.rulebook.irregularity import Situation
from thirdcard.training.drill import read_drill
from thirdcard.training.results import TrainingResult, progress, read_results, result_line, result_of_drill
from thirdcard.training.shipped_words import (
    pack_in_words,
    shipped_words,
    telling_message,
    tellings_of,
    title_in_words,
    title_key,
)

OTHERS = sorted(languages() - {"en"})
SHOE = ("cards/a-fresh-shoe-1", "A fresh shoe 1")
OWN = """title A fresh shoe of ours
game mbs-tiger-v3
patrons Ann at 1
> The lid of the shoe is open.
? Dealer: opens betting
"""


@pytest.mark.parametrize("language", OTHERS)
def test_every_title_is_said_in_every_language(language: str) -> None:
    for name, words in shipped_words().items():
        with speaking(language):
            said = title_in_words(name, words.title)
        assert said != words.title, name
        number = words.title.rpartition(" ")[2]
        assert not number.isdecimal() or said.endswith(f" {number}"), name


@pytest.mark.parametrize("language", OTHERS)
def test_every_telling_is_said_in_every_language(language: str) -> None:
    told = [(each.name, text) for each in drills().values() for text in tellings_of(each)]
    assert ("wagers/a-heavy-side", "You ask Ann for it, and Ann takes 1000 away from Player.") in told
    for name, text in told:
        what = telling_message(name, text)
        assert what is not None, name
        assert say(what, language) != text, name
        assert "Player" not in say(what, language), name


def test_titles_and_tellings_are_in_english_as_the_files_have_them() -> None:
    for name, words in shipped_words().items():
        assert title_in_words(name, words.title) == words.title
        for text in words.tellings:
            what = telling_message(name, text)
            assert what is not None, name
            assert say(what) == text


def test_no_title_or_telling_is_of_no_drill() -> None:
    used = {title_key(each.title) for each in shipped_words().values()}
    for name, words in shipped_words().items():
        for text in words.tellings:
            what = telling_message(name, text)
            assert what is not None, name
            used.add(what.key)
    own = {key for key in sentences("en") if key.startswith(("drill-title.", "drill-telling."))}
    assert own - used == set()


@pytest.mark.parametrize("language", OTHERS)
def test_no_two_titles_are_alike(language: str) -> None:
    keys = sorted({title_key(each.title) for each in shipped_words().values()})
    assert len({sentences(language)[key] for key in keys}) == len(keys)


@pytest.mark.parametrize("language", OTHERS)
def test_no_title_names_a_situation(language: str) -> None:
    situations = [sentences(language)[f"situation.{each.value}"].casefold() for each in Situation]
    with speaking(language):
        titles = [title_in_words(name, words.title).casefold() for name, words in shipped_words().items()]
    assert [title for title in titles for name in situations if name in title] == []


def test_numbered_title_is_said_with_its_number() -> None:
    with speaking("zh-Hans"):
        assert title_in_words(*SHOE) == "新开的牌靴 1"
    with speaking("ko"):
        assert title_in_words("nights/mbs-tiger-v3-2", "A long night 2") == "긴 밤 2"


def test_drill_of_a_trainer_keeps_its_words() -> None:
    own = read_drill(SHOE[0], OWN)[0]  # under the name of a shipped one
    with speaking("vi"):
        assert title_in_words(own.name, own.title) == "A fresh shoe of ours"
        drill = session(rehearsal_of(own), "dealer")
        assert [each.said() for each in drill.acts()][-1] == "The lid of the shoe is open."


def test_shipped_drill_is_told_in_the_language_of_the_reader() -> None:
    name = "cards/before-the-first-card, hoiana-tiger-2024/commission"
    drill = session(rehearsed(name), "dealer")
    told = drill.acts()[-1]
    assert told.said() == (
        "You lay your hand on the dealing device. The card in its mouth has a blue back, "
        "and all others are red."
    )
    with speaking("zh-Hant"):
        assert told.said() == "您把手放在發牌器上。出口處的那張牌是藍背，其他牌都是紅背。"


def kept(name: str) -> TrainingResult:
    """A result as a record has it."""
    drill = session(rehearsed(name), "dealer")
    time = datetime.datetime(2026, 11, 19, 12, tzinfo=datetime.UTC)
    return read_results(result_line(result_of_drill(drill, drill.grade(), "Eve", time)))[0]


def test_record_shows_an_old_result_in_the_language_of_its_reader() -> None:
    result = kept("cards/face-up-on-the-felt-1, mbs-tiger-v3")
    assert result.title == "Face up on the felt 1"
    assert cells_of(result)[1] == "Face up on the felt 1"
    with speaking("ko"):
        assert cells_of(result)[1] == "레이아웃 위의 앞면 카드 1"
        csv = training_file("Eve", (result,), ReportForm.CSV).decode()
    assert ",cards/face-up-on-the-felt-1,레이아웃 위의 앞면 카드 1," in csv


def test_pack_is_named_in_the_language_of_the_reader() -> None:
    (cards,) = progress((kept("cards/face-up-on-the-felt-1, mbs-tiger-v3"),))
    assert pack_cells(cards)[0] == "Cards and dealing device"
    with speaking("zh-Hant"):
        assert pack_cells(cards)[0] == "牌與發牌器"
        assert pack_in_words("our-evening") == "our-evening"  # the folder of a trainer


@pytest.mark.parametrize("language", OTHERS)
def test_record_is_in_one_language_on_paper_and_in_a_workbook(language: str) -> None:
    headings = {*PACK_HEADINGS, *SIGNATURE_LINES, *(column.title for column in RESULT_COLUMNS)}
    headings |= {"train-record.title", "train-record.no-record-of-play", "train-record.packs"}
    headings |= {"train-record.drills"}
    assert [key for key in headings if sentences(language)[key] == sentences("en")[key]] == []
