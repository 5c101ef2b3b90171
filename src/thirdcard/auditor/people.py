"""The people who stand for a record, and from which form on two must."""

from msgspec import Struct

from thirdcard.messages import Message, message

# from this form on two people stand for a wager found late and a wrong payment, and a mark outlasts a stay
TWO_PEOPLE_FORM = 4
# from this form on nobody alone moves money where no clause names the post, and claims are set off
NOBODY_ALONE_FORM = 5
# from this form on two people enter a withdrawal for a patron once a card is known
ANSWERS_FORM = 7


class SentBy(Struct, frozen=True):
    """The person who sent a command, and the one who authorised it."""

    actor: str
    authoriser: str | None = None


def one_person(by: str, second: str | None) -> tuple[Message, ...]:
    """Say so where one person alone did what takes two."""
    return (message("finding.one-person", person=by),) if second in (None, by) else ()
