"""The log of a server on standard error: lines for people, or JSON for programs. No secret is ever logged.

What belongs to a line is given apart from its words: ``log.info("up", extra={"fields": {"tables": 8}})``.
"""

import logging
import sys

import msgspec


def _fields(record: logging.LogRecord) -> dict[str, object]:
    found: dict[str, object] = getattr(record, "fields", {})
    return found


class _Plain(logging.Formatter):
    """A line to read, with what belongs to it at its end."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name that logging gives it
        fields = (f" {name}={value}" for name, value in _fields(record).items())
        return super().formatMessage(record) + "".join(fields)


class _Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
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
    plain = _Plain("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_Json() if as_json else plain)
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("thirdcard").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
