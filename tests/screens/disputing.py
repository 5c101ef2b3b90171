"""Steps of a dispute at the pit console."""

import re

from playwright.sync_api import Locator
from screens.browser import Screen


def takes_down(pit: Screen, one: Locator, what: str, giver: str, source: str) -> None:
    """Take a piece of information down, from somebody who is named, for a source."""
    one.get_by_role("button", name="Take down information").click()
    dialog = pit.page.get_by_role("dialog", name="Take down information")
    dialog.get_by_label("What is known").fill(what)
    givers = dialog.get_by_label("From whom")
    if giver in givers.locator("option").all_inner_texts():
        givers.select_option(label=giver)
    else:
        givers.select_option(label="Somebody else")
        dialog.get_by_label("Name, if somebody else").fill(giver)
    dialog.get_by_label("It counts as").select_option(label=source)
    dialog.get_by_role("button", name="Take down information").click()
    one.get_by_text(what).wait_for()


def decides(pit: Screen, one: Locator, decision: str, *, award: str = "0") -> Locator:
    """Decide a dispute: every source that can be considered is, and the others are not available."""
    one.get_by_role("button", name="Decide").click()
    dialog = pit.page.get_by_role("dialog", name="Decide")
    dialog.get_by_label("Decision").fill(decision)
    regard(dialog)
    dialog.get_by_label("Award").fill(award)
    dialog.get_by_role("button", name="Decide").click()
    return dialog


def regard(dialog: Locator) -> None:
    """Say of every source that it was considered, or why it is not available."""
    for group in dialog.get_by_role("group").all():
        considered = group.get_by_label("Considered")
        if considered.is_enabled():
            considered.check()
        else:
            group.get_by_label("Not available", exact=True).check()
            group.get_by_label("Why not available").fill("nothing was found")


def asked_for(pit: Screen) -> Locator:
    """Return the question for a second person."""
    dialog = pit.page.get_by_role("dialog", name=re.compile("approval|second person"))
    dialog.wait_for()
    return dialog


def approve(pit: Screen, post: str) -> None:
    """Have a second person stand behind what was sent, who comes on duty with it if need be."""
    dialog = asked_for(pit)
    dialog.get_by_role("button", name=post, exact=True).click()
    pit.until(lambda: dialog.get_by_label("Password").input_value() != "")
    dialog.get_by_role("button", name="Approve").click()
    dialog.wait_for(state="hidden")
