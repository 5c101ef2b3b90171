"""The number of the form in which records are stored, and the steps from older forms to the newest.

What is stored never changes; an older form is brought up to date on reading. CONTRIBUTING.md says how to add
a form.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from thirdcard.journal.forms import (
    from_form_1,
    from_form_2,
    from_form_3,
    from_form_4,
    from_form_5,
    from_form_6,
    from_form_7,
    from_form_8,
    from_form_9,
    from_form_11,
    from_form_12,
    from_form_13,
    from_form_14,
)

Value = dict[str, Any]
FormStep = Callable[[Value], None]


class RecordStep(Struct, frozen=True):
    """Turns the parts of a record into those of the next form, in place; a part without a step stays."""

    table_body: FormStep | None = None
    floor_body: FormStep | None = None
    envelope: FormStep | None = None


# the step at place n leads from form n + 1 to form n + 2
RECORD_STEPS = (
    RecordStep(table_body=from_form_1.table_body, floor_body=from_form_1.floor_body),
    RecordStep(),
    RecordStep(table_body=from_form_3.table_body),
    RecordStep(table_body=from_form_4.table_body),
    RecordStep(table_body=from_form_5.table_body),
    RecordStep(table_body=from_form_6.table_body),
    RecordStep(table_body=from_form_7.table_body),  # older records of the floor name no houses
    RecordStep(table_body=from_form_8.table_body),
    RecordStep(table_body=from_form_9.table_body, floor_body=from_form_9.floor_body),
    RecordStep(),  # form 11: clocks that are set, disputes that are too many
    RecordStep(floor_body=from_form_11.floor_body),
    RecordStep(floor_body=from_form_12.floor_body),
    RecordStep(),  # form 14: a patron who is alone has the cards dealt, rulebooks know margins and naturals
    RecordStep(floor_body=from_form_14.floor_body),  # also chips and cash, an archive, an accepted shelf
    RecordStep(),  # form 16: alarms whose cards are not told yet, service accounts, webhooks
)
FORM = len(RECORD_STEPS) + 1

# rulebooks and houses are stored under their digests and carry their own number, ``format``
RULEBOOK_STEPS: tuple[FormStep | None, ...] = (
    from_form_3.rulebook,
    from_form_5.rulebook,
    from_form_7.rulebook,
    from_form_13.rulebook,
)
HOUSE_STEPS: tuple[FormStep | None, ...] = (
    from_form_1.house,
    from_form_2.house,
    from_form_5.house,
    from_form_9.house,
    from_form_14.house,
)

_encoder = msgspec.json.Encoder(order="sorted")


class UnknownForm(Exception):
    """A form that this build does not know."""

    def __init__(self, form: int, newest: int) -> None:
        super().__init__(f"it has form {form}, and forms 1 to {newest} are known")
        self.form = form
        self.newest = newest


class Upcaster:
    """Brings one kind of stored JSON from any older form to the newest."""

    def __init__(self, steps: tuple[FormStep | None, ...]) -> None:
        self.newest = len(steps) + 1
        self._steps = steps

    def __call__(self, content: bytes, form: int) -> bytes:
        """Return the bytes that the newest form has for a content; the same ones where nothing changed."""
        if form == self.newest:
            return content
        if not 1 <= form < self.newest:
            raise UnknownForm(form, self.newest)
        steps = [step for step in self._steps[form - 1 :] if step is not None]
        if not steps:
            return content
        value = msgspec.json.decode(content)
        for step in steps:
            step(value)
        return _encoder.encode(value)


class _Formatted(Struct):
    format: int


class ContentUpcaster(Upcaster):
    """Brings a rulebook or a house to the newest format; each content says which one it has."""

    def bring(self, content: bytes) -> bytes:
        """Return the bytes that the newest format has for a content."""
        form = msgspec.json.decode(content, type=_Formatted).format
        return self(content, form)


upcast_table_body = Upcaster(tuple(each.table_body for each in RECORD_STEPS))
upcast_floor_body = Upcaster(tuple(each.floor_body for each in RECORD_STEPS))
upcast_envelope = Upcaster(tuple(each.envelope for each in RECORD_STEPS))
upcast_rulebook = ContentUpcaster(RULEBOOK_STEPS)
upcast_house = ContentUpcaster(HOUSE_STEPS)


def is_canonical(content: bytes) -> bool:
    """Whether JSON is written in the one way that every form has: sorted, no spaces, no key twice."""
    return _encoder.encode(msgspec.json.decode(content)) == content
