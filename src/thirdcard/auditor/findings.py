"""A finding of an auditor: where it stands in the record, and a sentence that says what is wrong."""

from msgspec import Struct

from thirdcard.messages import Message


class Finding(Struct, frozen=True):
    """Something in the record that is not right, at the sequence of the body that says it."""

    sequence: int
    what: Message
