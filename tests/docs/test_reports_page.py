"""docs/reports.md names every column of a report, in its order."""

import re

from docs.pages import ROOT

from thirdcard.reports.rows import ReportRow

PAGE = ROOT / "docs" / "reports.md"


def test_the_page_has_every_column() -> None:
    part = PAGE.read_text("utf-8").partition("| Column | Holds |")[2].partition("\n\n")[0]
    named = [name for line in part.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(named) == sorted(set(ReportRow.__struct_fields__) - {"exponent"})
