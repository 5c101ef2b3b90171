"""A journal that any release has written is opened and proven by this one."""

import asyncio
import shutil
from pathlib import Path

import pytest

from thirdcard import __version__
from thirdcard.auditor.exported import Exported
from thirdcard.auditor.verify import Against, StreamReport, streams_of, verify
from thirdcard.journal.sqlite import SqliteStore
from thirdcard.messages import say

FOLDER = Path(__file__).parent.parent / "journals"
RELEASES = sorted(path.stem for path in FOLDER.glob("*.sqlite"))
MOST_BYTES = 300_000


def test_this_release_has_a_journal() -> None:
    assert __version__ in RELEASES, "run scripts/write_journal.py"


@pytest.mark.parametrize("release", RELEASES)
def test_a_journal_of_a_release_is_still_whole(release: str, tmp_path: Path) -> None:
    """Opened for writing first, as a server does, so that its tables are brought up to date."""
    source = FOLDER / f"{release}.sqlite"
    assert source.stat().st_size < MOST_BYTES
    kept = Exported(source.with_suffix(".jsonl"))
    against = Against(kept.public_keys, kept)

    async def verified() -> list[StreamReport]:
        store = SqliteStore(Path(shutil.copy(source, tmp_path / "journal.sqlite")))
        try:
            return [await verify(store, name, against) for name in await streams_of(store, against)]
        finally:
            await store.close()

    reports = asyncio.run(verified())
    assert [report.stream for report in reports] == ["evening", "terminals"]
    for report in reports:
        assert [(each.sequence, say(each.what)) for each in report.findings] == []
        assert report.records == report.kept_until
        assert report.rounds
