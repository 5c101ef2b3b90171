"""Pages of the feed of a table: what its records tell a viewer, from moments and never from raw events."""

from msgspec import Struct

from thirdcard.folds.viewers import Viewer
from thirdcard.server.hub import Channel
from thirdcard.wire.answers import FeedEvent

PAGE_RECORDS = 100  # records that are worked out at a time


class FeedPage(Struct, frozen=True):
    """Some events of a feed, the sequence up to which they are whole, and whether there may be more."""

    sequence: int
    events: tuple[FeedEvent, ...]
    more: bool


async def page_of(channel: Channel, viewer: Viewer, after: int, most: int = PAGE_RECORDS) -> FeedPage:
    """Return the events of the records after a sequence; those that tell the viewer nothing are left out."""
    found = await channel.happened(after, most)
    events = []
    for news in found:
        moments = [each.what for each in news.moments(viewer)]
        if moments:
            events.append(FeedEvent(channel.name, news.sequence, news.at, moments))
    reached = found[-1].sequence if found else after
    return FeedPage(reached, tuple(events), bool(found) and reached < channel.stream.head.sequence)
