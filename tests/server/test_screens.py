"""The built screens as they are served: pages by name, what they load kept for good, else what is missing."""

import gzip
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from thirdcard.messages import message, say
from thirdcard.server.gate import Gate
from thirdcard.server.screens import SCREEN_PAGES, Languages, screens
from thirdcard.server.security import POLICY, Guard
from thirdcard.server.shares import Budget
from thirdcard.streams.clock import Clock

SCRIPT = b"console.log('screens');\n"
Serve = Callable[[Path], httpx.AsyncClient]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A small build."""
    (tmp_path / "assets").mkdir()
    for page in SCREEN_PAGES.values():
        (tmp_path / f"{page}.html").write_text(f"<title>{page}</title>", "utf-8")
    (tmp_path / "assets" / "page-1a2b.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "page-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    return tmp_path


def serve(folder: Path) -> httpx.AsyncClient:
    """A client of a server with these screens."""
    return client_of(screens(folder))


def client_of(routes: list[BaseRoute]) -> httpx.AsyncClient:
    """A client of a server with these routes."""
    unlimited = Budget(Clock(), burst=0, per_second=0.0)
    app = Gate(Starlette(routes=routes), Guard(), unlimited)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://floor")


async def answers(folder: Path, *paths: str) -> AsyncIterator[httpx.Response]:
    async with serve(folder) as client:
        for path in paths:
            yield await client.get(path)


async def test_every_page_has_its_address(built: Path) -> None:
    async for answer in answers(built, *SCREEN_PAGES):
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-security-policy"] == POLICY
        assert "'unsafe-inline'" not in POLICY
        assert answer.text == f"<title>{SCREEN_PAGES[answer.url.path]}</title>"


async def test_what_pages_load_is_compressed_and_kept_for_good(built: Path) -> None:
    async for answer in answers(built, "/assets/page-1a2b.js"):
        assert answer.content == SCRIPT
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        assert answer.headers["vary"] == "accept-encoding"


async def test_who_takes_nothing_compressed_gets_it_plain(built: Path) -> None:
    async with serve(built) as client:
        answer = await client.get("/assets/page-1a2b.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.content == SCRIPT


async def test_pages_say_which_languages_their_floor_speaks(built: Path) -> None:
    page = b'<!doctype html><html lang="en"><title>index</title></html>'
    (built / "index.html").write_bytes(page)
    (built / "index.html.gz").write_bytes(gzip.compress(page))
    spoken = screens(built, Languages(("zh-Hant", "en"), "zh-Hant"))
    told = '<!doctype html><html lang="zh-Hant" data-languages="zh-Hant en"><title>index</title></html>'
    async with client_of(spoken) as client:
        assert (await client.get("/")).text == told
        assert (await client.get("/", headers={"accept-encoding": "identity"})).text == told
    async with client_of(screens(built, Languages(usual="ko"))) as client:
        assert '<html lang="ko"><title>' in (await client.get("/")).text
    async with serve(built) as client:
        assert (await client.get("/")).content == page


async def test_nothing_else_in_the_folder_or_above_it_is_served(built: Path) -> None:
    (built / "screens.built-from").write_text("digest", "utf-8")
    paths = (
        "/screens.built-from",
        "/assets/page-1a2b.js.gz",
        "/assets/",
        "/assets/../index.html",
        "/none.js",
    )
    async for answer in answers(built, *paths):
        assert answer.status_code == 404


async def test_without_a_build_a_page_says_what_is_missing(tmp_path: Path) -> None:
    async for answer in answers(tmp_path / "nothing", "/", "/terminal"):
        assert answer.status_code == 503
        assert answer.text == say(message("serve.no-screens"))


async def test_half_a_build_is_none(built: Path) -> None:
    (built / "pit.html").unlink()
    async for answer in answers(built, "/"):
        assert answer.status_code == 503
