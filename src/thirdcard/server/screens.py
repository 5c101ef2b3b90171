"""The web screens as they were built: pages by name, and what they load, from memory."""

import gzip
import importlib.resources
from importlib.resources.abc import Traversable

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from thirdcard.messages import FIRST_LANGUAGE, message, say

# where a page is found, and the HTML file that it was built into
SCREEN_PAGES = {
    "/": "index",
    "/terminal": "terminal",
    "/dealer": "dealer",
    "/pit": "pit",
    "/display": "display",
    "/records": "records",
    "/training": "training",
    "/sign-in": "sign-in",
}
MEDIA = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
HASHED = "assets/"  # the names of these files change with their content
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
BEGINS = f'<html lang="{FIRST_LANGUAGE}"'.encode()


class File(Struct, frozen=True):
    """A file of the screens; compressed where that is worth it."""

    content: bytes
    compressed: bytes | None
    media: str
    keep: str


class Languages(Struct, frozen=True):
    """The languages that pages offer, or all, and the one for a browser that asks for none of them."""

    offered: tuple[str, ...] = ()
    usual: str = FIRST_LANGUAGE


def screens(folder: Traversable | None = None, languages: Languages = Languages()) -> list[BaseRoute]:  # noqa: B008 - frozen
    """A route for each page and each file that pages load; without a build, pages that say so."""
    folder = folder or importlib.resources.files("thirdcard").joinpath("screens")
    files = dict(_files(folder, "")) if folder.is_dir() else {}
    built = {path: f"{page}.html" for path, page in SCREEN_PAGES.items()}
    if not all(page in files for page in built.values()):
        return [Route(path, _missing, methods=["GET"]) for path in SCREEN_PAGES]
    pages = [_route(path, _telling(languages, files.pop(page))) for path, page in built.items()]
    return [*pages, *(_route(f"/{path}", file) for path, file in files.items())]


def _telling(languages: Languages, page: File) -> File:
    """Return a page that says which languages its floor speaks."""
    if languages == Languages():
        return page
    offered = f' data-languages="{" ".join(languages.offered)}"' if languages.offered else ""
    content = page.content.replace(BEGINS, f'<html lang="{languages.usual}"{offered}'.encode(), 1)
    return replace(page, content=content, compressed=page.compressed and gzip.compress(content, mtime=0))


def _files(folder: Traversable, prefix: str) -> list[tuple[str, File]]:
    found: list[tuple[str, File]] = []
    beside = {each.name: each for each in folder.iterdir()}
    for name, each in beside.items():
        if each.is_dir():
            found += _files(each, f"{prefix}{name}/")
        elif (media := MEDIA.get(name.rpartition(".")[2])) is not None:
            packed = beside.get(f"{name}.gz")
            keep = FOR_GOOD if prefix == HASHED else ASK_FIRST
            file = File(each.read_bytes(), packed.read_bytes() if packed else None, media, keep)
            found.append((prefix + name, file))
    return found


def _route(path: str, file: File) -> Route:
    headers = {"cache-control": file.keep, "vary": "accept-encoding"}

    async def answer(request: Request) -> Response:
        if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            packed = {**headers, "content-encoding": "gzip"}
            return Response(file.compressed, headers=packed, media_type=file.media)
        return Response(file.content, headers=headers, media_type=file.media)

    return Route(path, answer, methods=["GET"])


async def _missing(request: Request) -> Response:  # noqa: ARG001
    return PlainTextResponse(say(message("serve.no-screens")), 503)
