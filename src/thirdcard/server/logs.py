"""The log of a server on standard error: lines for people, or JSON for programs. No secret is ever logged."""

import logging
import sys

import msgspec


class _Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(said).decode()


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether something is worth a line: what clients send that is no text is their affair, and refused."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def set_up_logs(*, as_json: bool) -> None:
    """Log warnings and worse, and what our own parts say."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_Json() if as_json else plain)
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("thirdcard").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
