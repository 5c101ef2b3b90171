"""Says what a decision does in its case: to its own cards, or to the next ones of the dealing device."""

from thirdcard.game.case_cards import cards_of_case
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.card_effects import next_to_burn
from thirdcard.game.state import Case
from thirdcard.messages import Message, message
from thirdcard.rulebook.irregularity import Preset

# decisions that are about all cards of a case
CARD_CHOICES = (Preset.PLAY_CARD, Preset.BURN_CARD, Preset.KEEP_AS_NEXT_CARD)


def choice_words(desk: QueryDesk, case: Case, choices: tuple[str, ...]) -> dict[str, Message]:
    """Return what each decision does in a case: to its own cards, or to the next ones where it has none."""
    return {each: _choice_message(desk, case, each) for each in choices}


def _choice_message(desk: QueryDesk, case: Case, choice: str) -> Message:
    cards = cards_of_case(desk.table, case)
    if choice == Preset.BURN_CARD and cards.pile is None:
        count = next_to_burn(desk, case)
        return message("ruling.burn-next-card" if count == 1 else "ruling.burn-next-cards", cards=count)
    own = len(cards.places) or len(case.cards)  # a report sets its cards aside
    return message(f"preset.{choice}-all" if choice in CARD_CHOICES and own > 1 else f"preset.{choice}")
