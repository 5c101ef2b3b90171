"""docs/card-reader.md is compared with the code: its lines can be read, its alarms are all there are."""

from docs.pages import ROOT, anchor, headings, links, tables

from thirdcard.clockwork.reader import SILENT_AFTER
from thirdcard.devices.reader_lines import (
    LONGEST,
    Ack,
    Again,
    Beat,
    Numbered,
    ReaderHello,
    Refuse,
    Welcome,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.devices.reader_simulator import BEAT_EVERY, MOST_HELD
from thirdcard.devices.suspicion import CARD_SCALE, RANK_SCALE
from thirdcard.game.alarm_kinds import AlarmKind

PAGE = ROOT / "docs" / "card-reader.md"
TABLES = tables(PAGE)
TEXT = " ".join(PAGE.read_text("utf-8").split())


def test_every_line_on_the_page_can_be_read_and_would_be_written_so() -> None:
    kinds = set()
    for heading in ("From the reader", "From the table"):
        for body, example, _ in TABLES[heading]:
            line = read_line(example.strip("`").encode())
            assert line is not None, example
            assert write_line(line).decode().rstrip() == example.strip("`")
            kinds.add(type(line))
            assert body.strip("`").split()[0] in ("N", example.strip("`").split()[0])
    assert kinds == {ReaderHello, Numbered, Beat, Welcome, Ack, Again, Refuse}


def test_every_reading_and_every_refusal_is_on_the_page() -> None:
    bodies = [row[0].strip("`").split() for row in TABLES["From the reader"]]
    readings = [words[1] for words in bodies if words[0] == "N"]
    assert readings == ["card", "misread", "burn", "cutting-card", "result", "fault"]
    refused = [row[0].strip("`") for row in TABLES["From the table"] if "refuse" in row[0]]
    assert refused == [f"refuse {why.value}" for why in WhyNot]


def test_the_alarms_are_those_of_the_code() -> None:
    assert [row[0].strip("`") for row in TABLES["Alarms"]] == [kind.value for kind in AlarmKind]


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    assert f"at most {LONGEST} bytes" in TEXT
    assert f"At least every {BEAT_EVERY:.0f} seconds" in TEXT
    assert f"not have more than {MOST_HELD} unacknowledged" in TEXT
    assert f"nothing comes for {SILENT_AFTER:.0f} seconds" in TEXT
    assert (CARD_SCALE.repeated, RANK_SCALE.repeated) == (6, 9)
    assert "Six cards in a row (nine where suits are not known)" in TEXT


def test_headings_differ_and_links_lead_somewhere() -> None:
    anchors = [anchor(heading) for heading in headings(PAGE)]
    assert len(anchors) == len(set(anchors))
    assert all((PAGE.parent / link.partition("#")[0]).exists() for link in links(PAGE))
