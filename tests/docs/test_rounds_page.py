"""docs/rounds.md is run: its rounds are played, its commands repeated, its lists compared with the code."""

import re
from pathlib import Path

import pytest
from docs.pages import ROOT, Block, all_blocks, anchor, blocks, commands, headings, links, run, tables

from thirdcard.game.irregularities.effects import DECISIONS
from thirdcard.roundfile.actions import (
    ACTION_TOPICS,
    ACTIONS,
    DEALT,
    PAYING,
    PREVIOUS_ROUND,
    TOLD_FACTS,
    UNDERPAID,
)
from thirdcard.roundfile.forms import PATTERNS
from thirdcard.roundfile.games import texts_by_game
from thirdcard.roundfile.head import HEAD
from thirdcard.roundfile.parse import HOUSE_CHECKS, OF_A_PATRON, SHOE_CHECKS, parse
from thirdcard.rulebook.irregularity import Method
from thirdcard.rulebook.shelf import SHIPPED

PAGE = ROOT / "docs" / "rounds.md"
TABLES = tables(PAGE)


def code(*texts: str) -> str:
    return ", ".join(f"`{text}`" for text in texts)


# the page from top to bottom


def test_the_page_can_be_followed_from_top_to_bottom(tmp_path: Path) -> None:
    """``file`` makes a file, ``change`` changes it, ``try`` changes it until the next block that does."""
    tried: dict[Path, str] = {}
    for block in all_blocks(PAGE):
        if block.language == "console":
            for command in commands(block):
                answer = run(command, tmp_path)
                assert (answer.output, answer.status) == (command.output, command.status), command.line
            continue
        for path, text in tried.items():
            path.write_text(text, "utf-8")
        verb, name = block.note.split(" ")
        path = tmp_path / name
        before = "" if verb == "file" else path.read_text("utf-8")
        tried = {path: before} if verb == "try" else {}
        path.write_text(block.text if verb == "file" else changed(before, block), "utf-8")


def changed(text: str, block: Block) -> str:
    """Lines with - give way to lines with +."""
    lines = block.text.splitlines(keepends=True)
    before, after = ("".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
    assert text.count(before) == 1, f"line {block.line}: these lines stand {text.count(before)} times"
    return text.replace(before, after)


def test_every_block_is_a_file_a_change_or_a_command() -> None:
    assert [block.line for block in all_blocks(PAGE) if not block.note and block.language != "console"] == []


def test_four_whole_rounds_are_shown_with_their_checks() -> None:
    files = [block.text for block in blocks(PAGE, "text") if block.note.startswith("file ")]
    read = [parse(text) for file in files for text in texts_by_game(file).values()]
    shown = [file for file in read if any(expected for _, expected in file.acts) and file.checks]
    games = [file.settings.game for file in shown]
    several = ["mbs-tiger-v3", "mbs-tiger-nc-v4"]
    assert games == ["mbs-tiger-v3", "mbs-tiger-v3", "hoiana-tiger-2024/commission", *several]
    done = [{type(body).__name__ for act, _ in file.acts for body in act.bodies} for file in shown]
    assert {"Rule", "AnswerOffer"} <= done[1]
    assert "DealFreeHand" in done[2]


# the lists


def test_the_keys_of_the_head_are_those_of_the_code() -> None:
    assert [row[:3] for row in TABLES["The head"]] == [
        [f"`{key.name}`", key.value, key.default] for key in HEAD
    ]


@pytest.mark.parametrize("topic", ACTION_TOPICS)
def test_what_can_be_done_is_what_the_reader_understands(topic: str) -> None:
    written = [[f"`{action.form}`", f"`{action.example}`"] for action in ACTIONS if action.topic == topic]
    assert [row[:2] for row in TABLES[topic]] == written


def test_no_action_is_left_out() -> None:
    told = [row[0] for topic in ACTION_TOPICS for row in TABLES[topic]]
    assert told == [f"`{action.form}`" for action in ACTIONS]


def test_the_words_in_capitals_are_those_of_the_forms() -> None:
    assert [row[0] for row in TABLES["Words in capitals"]] == [f"`{part}`" for part in PATTERNS]
    write = {row[0]: row[1] for row in TABLES["Words in capitals"]}
    assert re.findall("`([A-Z])`", write["`METHOD`"]) == [method.value for method in Method]


def test_the_ways_to_say_who_acts_can_be_read() -> None:
    for _, example in TABLES["What can be done"]:
        assert parse(f"game mbs-tiger-v3\n{example.strip('`')}").acts


def test_the_wagers_are_those_of_the_games() -> None:
    books = SHIPPED.rulebooks
    every = sorted({wager for book in books for wager in book.wagers})
    games = {wager: [book.id for book in books if wager in book.wagers] for wager in every}
    assert TABLES["Wagers"] == [[code(wager), code(*games[wager])] for wager in every]


def test_the_decisions_are_those_of_the_engine() -> None:
    assert [row[0] for row in TABLES["Decisions"]] == [f"`{decision}`" for decision in DECISIONS]


def test_the_facts_are_those_of_the_code() -> None:
    told = [row[:2] for row in TABLES["Facts"]]
    alone = [[f"`{fact}`", ""] for fact in (PREVIOUS_ROUND, UNDERPAID, PAYING, DEALT)]
    assert told == [*([f"`{yes}`", f"`{no}`"] for yes, no in TOLD_FACTS.values()), *alone]


def test_what_can_be_checked_is_what_the_reader_understands() -> None:
    assert [row[1] for row in TABLES["What can be checked"]] == [
        code(*OF_A_PATRON),
        code(*HOUSE_CHECKS),
        code(*SHOE_CHECKS),
    ]


def test_the_forms_of_a_check_can_be_read() -> None:
    lines = [row[0].strip("`") for row in TABLES["Checks"]]
    checks = parse("\n".join(("game mbs-tiger-v3", "patrons Ann at 1", *lines))).checks
    assert [each.round for each in checks] == [None, 2]


def test_headings_differ_and_links_lead_somewhere() -> None:
    anchors = [anchor(heading) for heading in headings(PAGE)]
    assert len(anchors) == len(set(anchors))
    for link in links(PAGE):
        file, _, place = link.partition("#")
        other = PAGE.parent / file if file else PAGE
        assert other.exists(), link
        assert place in [anchor(heading) for heading in headings(other)], link
