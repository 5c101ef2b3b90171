"""The dossier of a round: which records it has, what it tells, and the page that a layman reads."""

import re
import textwrap
from html.parser import HTMLParser

import msgspec
import pytest
from journal.journals import EVENING, random_evening, sealed_evening, told_evening, write
from msgspec.structs import replace
from verifier.bundles import PUBLIC, Files, dossier

from thirdcard.auditor.stored_rules import Unknown
from thirdcard.dossier.find import find_round
from thirdcard.dossier.make import ToldRound, make_dossier, told_round
from thirdcard.game import events as ev
from thirdcard.game.state import Hand
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.sealed_shoe import ShoeFile, check
from thirdcard.messages import message, say, speaking
from thirdcard.refusals import Refused
from thirdcard.verifier import verify

HOIANA = """
game hoiana-tiger-2024/commission
automatic expose
patrons Ann at 1, <b>Bob</b> at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws K K 7 6
Dealer: reports unauthorised-player-card cards 5
Dealer: calls player
Dealer: deals the free hand
Dealer: draws 2 4 K
Dealer: calls player
Dealer: opens betting
<b>Bob</b>: disputes round 1 because it was called too early
Ann: 10 on tie at 1
Ann: takes 10 off tie at 1
"""


async def told(number: int, text: str | None = None) -> ToldRound:
    store = MemoryStore()
    await write(store, told_evening("table-1", text or EVENING.read_text("utf-8")))
    found = await told_round(store, "table-1", number)
    assert found is not None
    return found


def without_rounds(came: tuple[ev.Event, ...] | Refused) -> tuple[ev.Event, ...] | Refused:
    """The result of a command, with disputes as they were recorded before form 6."""
    if isinstance(came, Refused):
        return came
    return tuple(replace(each, round=None) if isinstance(each, ev.DisputeOpened) else each for each in came)


def sequences(found: ToldRound) -> tuple[list[int], list[int]]:
    return (
        [each.record.sequence for each in found.found.entries],
        [each.record.sequence for each in found.found.disputes],
    )


# which records


async def test_a_round_goes_from_its_call_to_the_last_thing_done_about_it() -> None:
    assert sequences(await told(1)) == (list(range(12, 21)), [])
    assert sequences(await told(2)) == (list(range(22, 36)), [36, 37, 38, 46, 47, 48])
    assert sequences(await told(3)) == (list(range(39, 46)), [])


async def test_older_records_do_not_say_which_round_a_dispute_is_about() -> None:
    text = HOIANA.replace("disputes round 1 because it was", "disputes that round 1 was")
    evening = told_evening("table-1", text)
    deeds = tuple((command, without_rounds(came)) for command, came in evening.deeds)
    for number, found in ((1, 1), (2, 0)):
        store = MemoryStore()
        await write(store, replace(evening, deeds=deeds))
        told = await find_round(store, "table-1", number)
        assert told is not None
        assert len(told.disputes) == found


async def test_a_free_hand_is_a_round_of_its_own_and_a_dispute_may_name_an_older_one() -> None:
    first, free = await told(1, HOIANA), await told(2, HOIANA)
    last = first.found.entries[-1].record.sequence
    assert sequences(first)[1] == [free.found.entries[-1].record.sequence + 2]
    assert free.found.entries[0].record.sequence == last + 1
    assert sequences(free)[1] == []
    assert free.story.stakes == ()


async def test_a_round_that_becomes_a_free_hand_is_one_round() -> None:
    text = """
    game hoiana-tiger-2024/commission
    burn forgotten
    patrons Ann at 1
    Dealer: opens betting
    Ann: 300 on player at 1
    Dealer: closes betting
    Dealer: draws ?
    Dealer: reports burn-forgotten
    Dealer: reports face-up-card cards 9H
    Assistant Director of Gaming Operations: rules continue because the hand is free
    Dealer: deals the free hand
    Dealer: draws 7 K 8
    """
    found = await told(1, textwrap.dedent(text))
    shown = {hand: [card.text for card in cards if card] for hand, cards in found.story.hands.items()}
    assert shown == {Hand.PLAYER: ["9H", "K"], Hand.BANKER: ["7", "8"]}
    first, *_, last = (each.result.events for each in found.found.entries)
    assert any(isinstance(event, ev.BettingOpened) for event in first)
    assert any(isinstance(event, ev.RoundEnded) for event in last)


async def test_there_is_no_round_of_another_number_and_none_on_a_floor() -> None:
    store = MemoryStore()
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    assert await find_round(store, "table-1", 4) is None
    assert await find_round(store, "table-2", 1) is None


@pytest.mark.parametrize(
    "game", ["mbs-tiger-nc-v4", "mbs-super-six-etg-v3", "hoiana-tiger-2024/non-commission"]
)
async def test_every_round_of_a_random_evening_has_a_page(game: str) -> None:
    store = MemoryStore()
    played = random_evening("table-1", 25, 6, game)
    await write(store, played)
    assert len(played.rounds) > 15
    for number in played.rounds:
        found = await told_round(store, "table-1", number)
        assert found is not None, number
        made = await make_dossier(store, found)
        assert made.proof.checkpoint is not None
        Page().feed(made.files["round.html"].decode())


# what it tells


async def test_cards_outcome_and_wagers_are_told() -> None:
    story = (await told(2)).story
    shown = {hand: [card.text if card else "?" for card in cards] for hand, cards in story.hands.items()}
    assert shown == {Hand.PLAYER: ["2H", "2S", "9D"], Hand.BANKER: ["2D", "AC", "6C"]}
    assert story.facts is not None
    assert (story.facts.player_total, story.facts.banker_total, story.void) == (3, 9, False)
    assert [
        (each.patron, each.wager, each.stake, each.result, each.paid, each.back) for each in story.stakes
    ] == [
        ("Ann", "player", 30_000, "taken-off", 0, 30_000),
        ("Ann", "tiger-pair", 1000, "won", 4000, 1000),
        ("Bob", "banker", 33_300, "won", 31_635, 33_300),
    ]
    assert story.stakes[2].commission == 1665


async def test_a_void_round_gives_every_stake_back() -> None:
    story = (await told(3)).story
    assert (story.void, story.facts) == (True, None)
    assert [(each.patron, each.stake, each.result, each.back, each.clauses) for each in story.stakes] == [
        ("Bob", 10_000, "void", 10_000, ("5.1.1",))
    ]


async def test_every_step_has_its_person_its_time_and_its_clauses() -> None:
    story = (await told(2)).story
    steps = {step.record: step for step in story.steps}
    assert (steps[27].person, steps[27].moment.isoformat()) == ("Dealer", "2025-06-02T20:00:27+08:00")
    assert [(line.text, line.clauses) for line in steps[27].lines] == [
        ("Player gets 2♥.", ("3.13", "3.13.1", "3.9.1", "3.11.1"))
    ]
    assert steps[32].refused
    assert [(line.text, line.clauses) for line in steps[32].lines] == [
        (
            "Refused – Ruled: This belongs to the Pit Manager. Ask for that post to do or to authorise it.",
            ("5.8.2.2",),
        )
    ]
    assert "Reason given: the camera shows the nine first." in [line.text for line in steps[33].lines]
    decided = next(step for step in story.disputes if step.record == 46)
    assert decided.lines[-1].text == "Considered: approved game rules, accounts of both parties."


async def test_a_round_is_told_in_the_language_of_its_reader() -> None:
    store = MemoryStore()
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    with speaking("zh-Hans"):
        found = await told_round(store, "table-1", 2)
        assert found is not None
        page = (await make_dossier(store, found)).files["round.html"].decode()
    lines = [line.text for step in found.story.steps for line in step.lines]
    assert "闲得 2♥。" in lines
    assert any(line.startswith("已拒绝 – 裁定：") for line in lines)
    assert "Bob 的庄以 1 赔 0.95 赢得 316.35，退回 333.00。" in lines
    assert '<html lang="zh-Hans">' in page
    assert "老虎百家乐" in page
    assert "所述理由：the camera shows the nine first。" in page, "what somebody typed stays as it is"
    assert '<td lang="en">' in page, "clauses are explained in English alone"
    assert "这些说明仅有英文。" in page
    english = (await told(2)).story
    assert "Player gets 2♥." in [line.text for step in english.steps for line in step.lines]


async def test_wagers_are_called_by_their_names() -> None:
    lines = [line.text for step in (await told(2)).story.steps for line in step.lines]
    assert "Bob wins 316.35 on Banker at 0.95 to 1, 333.00 back." in lines


async def test_a_language_that_there_is_not_is_english() -> None:
    with speaking("../en"):
        assert say(message("hand.player")) == "Player"


async def test_a_dossier_has_the_record_of_the_confirmation() -> None:
    # Front.2: the approval names another game, so that the regulator has confirmed it
    found = await told(1)
    assert found.found.confirmation is not None
    assert found.found.confirmed_by in found.found.all_entries


def test_the_page_prints_the_approval_and_its_confirmation() -> None:
    shown = read(dossier(1)["round.html"]).text
    assert "Gambling Regulatory Authority of Singapore under Casino Control Act 2006" in shown
    assert "section 100(1). The approval names Baccarat (Version 8)." in shown
    assert "The regulator confirmed it: as the round file has it of 2025-06-02" in shown


async def test_people_are_named_with_their_posts_and_the_table_by_itself() -> None:
    text = """
game mbs-tiger-v3
patrons Ann at 1
Eve: comes on duty as dealer
Eve: opens betting
Table: closes betting
Dealer with Pit Manager: draws 9 2 K 5
"""
    story = (await told(1, text)).story
    assert [(step.person, step.authoriser) for step in story.steps][:3] == [
        ("Eve (Dealer)", None),
        ("the table itself", None),
        ("Dealer", "Pit Manager"),
    ]


async def test_who_approved_is_named_in_what_was_decided() -> None:
    """Clause 6.1: the decision is the Gaming Shift Manager's, whoever sat at the console."""
    text = """
game mbs-tiger-v3
patrons Ann at 1
Eve: comes on duty as dealer
Eve: opens betting
Eve: closes betting
Eve: draws 9 2
Eve: reports not-covered because so
Eve with Gaming Shift Manager: rules continue because the lamp is steady
"""
    story = (await told(1, text)).story
    lines = [line.text for step in story.steps for line in step.lines]
    assert "Eve (Dealer) reports: Something else." in lines
    assert "Gaming Shift Manager rules: play goes on. Eve enters it." in lines


async def test_a_settlement_that_was_taken_back_and_cards_that_were_laid_again_count_as_they_are() -> None:
    text = """
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer with Pit Manager: corrects card 3 to 7
"""
    found = await told(1, textwrap.dedent(text))
    story = found.story
    assert {step.record for step in story.steps} == set(range(found.found.entries[0].record.sequence, 19))
    assert [card.text for card in story.hands[Hand.PLAYER] if card] == ["9", "7"]
    assert [each.result for each in story.stakes] == ["lost"]


async def test_a_rulebook_that_is_not_stored_is_named() -> None:
    store, other = MemoryStore(), MemoryStore()
    await other.append(await write(store, told_evening("table-1", EVENING.read_text("utf-8"))))
    with pytest.raises(Unknown) as caught:
        await told_round(other, "table-1", 1)
    assert say(caught.value.what).endswith(
        "is not stored, so that nothing from here on can be decided again."
    )


# the page


class Page(HTMLParser):
    """The text of a page; every tag that is opened is closed."""

    VOID = ("meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: bytes) -> Page:
    parser = Page()
    parser.feed(page.decode())
    assert parser.open == []
    return parser


def test_the_page_has_everything_and_fetches_nothing() -> None:
    page = dossier(2)["round.html"]
    shown = read(page)
    assert not shown.tags & {"script", "link", "img", "iframe", "object"}
    assert not re.search(rb"https?:|url\(|@import", page)
    for text in (
        "Round 2 at table-1",
        "Tiger Baccarat, Marina Bay Sands",
        "2025-06-02, 20:00:22.000 to 20:00:35.000 (UTC+0800)",
        "Banker wins 9 to 3.",
        "point total 3",
        "won at 0.95 to 1, commission 16.65",
        "taken off before the result",
        "Disputes about this round",
        "On 3 the Banker hand draws unless the third Player card is an 8.",
        "python verifier.py",
        "The records are covered by the checkpoint at record 49 (shift-end).",
    ):
        assert text in shown.text, text


def test_a_page_that_is_not_signed_yet_says_so() -> None:
    shown = read(dossier(2, signed=False)["round.html"])
    assert "No checkpoint covers all of these records yet" in shown.text
    assert "The round is void. Every stake went back." in read(dossier(3)["round.html"]).text


async def test_a_round_in_play_has_no_outcome_and_face_down_cards_have_backs() -> None:
    text = "game mbs-tiger-v3\npatrons Ann at 1\nautomatic none\nface-down\nDealer: opens betting\n"
    text += "Dealer: closes betting\nDealer: draws ? ?\n"
    store = MemoryStore()
    await write(store, told_evening("table-1", text))
    found = await told_round(store, "table-1", 1)
    assert found is not None
    page = (await make_dossier(store, found)).files["round.html"]
    shown = read(page)
    assert "The round has no outcome." in shown.text
    assert "Nothing was wagered." in shown.text
    assert page.count(b'class="card back"') == 2


async def test_names_that_look_like_tags_stay_names() -> None:
    store = MemoryStore()
    await write(store, told_evening("table-1", HOIANA))
    found = await told_round(store, "table-1", 1)
    assert found is not None
    page = (await make_dossier(store, found)).files["round.html"]
    assert b"&lt;b&gt;Bob&lt;/b&gt;" in page
    assert "<b>Bob</b>" in read(page).text


async def test_the_shoe_of_a_round_is_the_last_one_loaded_before_it() -> None:
    text = """
game hoiana-tiger-2024/commission
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer: draws 9 2 K 5
Pit Manager: loads 8 decks
Ann: cuts at 100
Dealer: burns by 7
Dealer: opens betting
Dealer: closes betting
Dealer: draws 9 2 K 5
"""
    first, second = await told(1, text), await told(2, text)
    loaded = [each.record.kind for each in first.found.shoe]
    assert loaded == ["load-shoe", "burn-cards"]
    after = first.found.entries[-1].record.sequence
    assert [(each.record.sequence, each.record.kind) for each in second.found.shoe] == [
        (after + 1, "load-shoe"),
        (after + 2, "cut-cards"),
        (after + 3, "burn-cards"),
    ]


# sealed shoes


async def sealed(*, opened: bool) -> Files:
    store = MemoryStore()
    await write(store, sealed_evening("table-1", opened=opened))
    found = await told_round(store, "table-1", 2)
    assert found is not None
    return (await make_dossier(store, found)).files


async def test_a_shoe_that_is_laid_open_is_in_the_dossier_and_proven() -> None:
    files = await sealed(opened=True)
    shoe = msgspec.json.decode(files["shoes/1.json"], type=ShoeFile)
    assert (shoe.cards, shoe.cut, check(shoe)) == (416, 100, ())
    report = verify(files, PUBLIC)
    assert report.wrong == []
    cards = sum(card is not None for card in shoe.dealt)
    assert report.proven[-1] == (
        "shoes/1.json is as it was sealed before the first wager: "
        f"416 cards laid open, 0 proven one by one, {cards} compared with the cards that came."
    )
    assert cards >= 8


async def test_a_shoe_that_is_still_hidden_is_not_in_the_dossier() -> None:
    files = await sealed(opened=False)
    assert [name for name in files if name.startswith("shoes/")] == []
    assert verify(files, PUBLIC).wrong == []
