"""Evidence for clauses, derived from the steps of a round; no test is believed without it."""

from collections.abc import Iterable, Iterator

from golden import Golden
from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import blocking
from thirdcard.game.state import Case
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.set_up import TABLE, PlayedCommand
from thirdcard.rulebook.coverage import Piece, shelf_proof
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Continue, ReserveCards
from thirdcard.staff import Post

Given = tuple[str, Piece]  # a clause and the piece of its evidence

# refusals about the person, not about what was asked
ABOUT_THE_PERSON = (
    Refusal.NOT_AUTHORISED,
    Refusal.NOT_STAFF,
    Refusal.NOT_YOURS,
    Refusal.SECOND_PERSON_NEEDED,
)
# events that say what was found or awaited; nothing was done about it yet
FOUND = (
    ev.IrregularityReported,
    ev.CaseWaits,
    ev.AlarmRaised,
    ev.DeviceMismatch,
    ev.DifferentialExceeded,
    ev.FactsConfirmed,
    ev.FactsDisproved,
    ev.ReportWithdrawn,
    ev.CaseClosed,
)
# events by which the table notices that something was left out or done against a rule
NOTICED = (ev.AlarmRaised, ev.DeviceMismatch, ev.DifferentialExceeded, ev.IrregularityReported)
# events that undo what was attempted
UNDONE = (ev.WagerHandedBack, ev.WagerPulledLate)
# events by which somebody who was there says how things lie
ATTESTS = (ev.EquipmentTicked, ev.CardsExposed)
# statements that the round goes on or that results stand: true only if that is what follows
GOES_ON = ("continue", "correct-settlement", "finish-shoe", "let-result-stand")
STANDS = ("let-past-rounds-stand", "let-result-stand")
AGAINST_A_RULE = (Piece.LEFT_OUT, Piece.WITHHELD, Piece.ATTEMPTED, Piece.OTHER_SIDE)


def given_by_round(told: Golden) -> Iterator[Given]:
    """Every piece of evidence that a golden round gives."""
    steps = told.played.steps
    powers = powers_of(told.rulebook.document)
    for number, step in enumerate(steps):
        if isinstance(step.result, Refused):
            yield from given_by_refusal(step, steps[:number], told.rulebook.document)
        else:
            for place, event in enumerate(step.result):
                yield from _given_by_event(event, step, steps[:number], steps[number:])
                if isinstance(event, ev.OutcomeCalled) and _is_wrong(
                    event, steps[:number], step.result[:place]
                ):
                    yield from ((clause, piece) for clause in event.clauses for piece in AGAINST_A_RULE)
        yield from _given_by_person(step, powers, told.house)


def given_by_refusal(
    step: PlayedCommand, before: tuple[PlayedCommand, ...], document: Document
) -> Iterator[Given]:
    """A refusal shows that something was attempted, left out or withheld, and that nothing changed."""
    refused = step.result
    assert isinstance(refused, Refused)
    if refused.reason is Refusal.NOT_STAFF:
        yield from ((clause, Piece.LEFT_OUT) for clause in refused.clauses)
    if refused.reason in ABOUT_THE_PERSON or isinstance(step.body, cmd.ReportIrregularity):
        return
    clauses = {*refused.clauses, *_blocked(step, refused), *_passed_by(step, refused, before, document)}
    against_patrons = bool(step.posts) or isinstance(step.body, cmd.TakeDevice)
    for clause in clauses:
        for piece in AGAINST_A_RULE:
            if piece is not Piece.WITHHELD or against_patrons:
                yield clause, piece


def _blocked(step: PlayedCommand, refused: Refused) -> Iterator[str]:
    """The clause that an irregularity under way waits for, where it keeps the table from going on."""
    case = blocking(step.before) if step.before else None
    if refused.reason is Refusal.IRREGULARITY_UNDER_WAY and case and case.done < len(case.effects):
        yield from _clause(case.effects[case.done])
        if case.offer:
            yield from _choices(case, case.offer.clause)


def _choices(case: Case, offered: str) -> Iterator[str]:
    """The clause by which a patron who is asked may also play on, where it is one of its own."""
    for effect in case.effects:
        if isinstance(effect, Continue) and effect.clause != offered:
            yield effect.clause


def _passed_by(
    step: PlayedCommand, refused: Refused, before: tuple[PlayedCommand, ...], document: Document
) -> Iterator[str]:
    """Clauses under which something waits that the refused command would have passed by."""
    earlier, table = _this_round(before), step.before
    if refused.reason is Refusal.OTHER_CARD_EXPECTED:
        expected = dict(refused.params)["card"]
        for event in earlier:
            if isinstance(event, ev.CardSeenInShoe) and event.card.text == expected:
                yield from event.clauses
        if table and table.reserved:
            yield from _finishing(document)
    if refused.reason is Refusal.HANDS_NOT_OPEN:
        for each in before:
            if isinstance(each.body, cmd.ReportIrregularity) and not isinstance(each.result, Refused):
                declined = (event for event in each.result if isinstance(event, ev.CardsDeclined))
                yield from (clause for event in declined if event in earlier for clause in event.clauses)
    if refused.reason is Refusal.NOT_IN_THIS_PHASE and isinstance(step.body, cmd.OpenBetting | cmd.LoadShoe):
        for event in earlier:
            goes_on = isinstance(event, ev.EffectCarriedOut) and event.effect == "continue"
            if goes_on or isinstance(event, ev.CuttingCardSeen):
                yield from event.clauses


def _finishing(document: Document) -> Iterator[str]:
    """The clause by which a round goes on with the cards that were set aside for it."""
    for row in document.irregularities:
        if any(isinstance(effect, ReserveCards) for effect in row.effects):
            yield from (effect.clause for effect in row.effects if isinstance(effect, Continue))


def _this_round(before: tuple[PlayedCommand, ...]) -> list[ev.Event]:
    """The events since the round under way was opened; none if no round is."""
    events = list(events_of(before))
    opened = [at for at, event in enumerate(events) if isinstance(event, ev.RoundBegan)]
    ended = [at for at, event in enumerate(events) if isinstance(event, ev.RoundEnded | ev.RoundVoided)]
    return events[opened[-1] :] if opened and (not ended or ended[-1] < opened[-1]) else []


def _clause(effect: object) -> Iterator[str]:
    clause = getattr(effect, "clause", None)
    if clause:
        yield clause


def _given_by_event(
    event: ev.Event, step: PlayedCommand, before: tuple[PlayedCommand, ...], after: tuple[PlayedCommand, ...]
) -> Iterator[Given]:
    pieces = {Piece.THIS_SIDE, *_right(event)}
    noticed = isinstance(event, NOTICED) and not isinstance(step.body, cmd.ReportIrregularity)
    if noticed or isinstance(event, UNDONE):
        pieces.update(AGAINST_A_RULE)
    if isinstance(event, ev.FactsDisproved):
        pieces.add(Piece.OTHER_SIDE)
    if isinstance(event, ATTESTS) and step.actor != TABLE:
        pieces.add(Piece.ATTESTED)
    if _is_act(event, before, after):
        pieces.add(Piece.DONE)
    if isinstance(event, ev.EffectCarriedOut) and event.effect in STANDS and _stands(before, after):
        pieces.add(Piece.ATTEMPTED)
    yield from ((clause, piece) for clause in event.clauses for piece in pieces)
    if isinstance(event, ev.OfferOpened | ev.OfferAnswered):
        yield from _given_by_choice(event, step)
    if isinstance(event, ev.RoundSettled):
        settled = {clause for wager in event.wagers for clause in wager.clauses}
        yield from ((clause, piece) for clause in settled for piece in (Piece.DONE, Piece.THIS_SIDE))


def _given_by_choice(event: ev.OfferOpened | ev.OfferAnswered, step: PlayedCommand) -> Iterator[Given]:
    """A patron who does not withdraw takes up the other choice, where it has a clause of its own."""
    number = event.offer.case if isinstance(event, ev.OfferOpened) else event.case
    cases = [case for case in (step.before.open_cases if step.before else ()) if case.id == number]
    for case in cases:
        offered = (
            event.offer.clause if isinstance(event, ev.OfferOpened) else case.offer and case.offer.clause
        )
        for clause in _choices(case, offered or ""):
            if isinstance(event, ev.OfferOpened):
                yield clause, Piece.OFFERED
            else:
                yield clause, Piece.DECLINED if event.withdrew else Piece.TAKEN_UP


def _is_wrong(
    called: ev.OutcomeCalled, before: tuple[PlayedCommand, ...], same: tuple[ev.Event, ...]
) -> bool:
    """Whether the Dealer called another winner or other points than the cards have."""
    known = (event for event in (*events_of(before), *same) if isinstance(event, ev.OutcomeKnown))
    facts = [event.facts for event in known][-1:]
    said = (called.winner, called.player, called.banker)
    return any(
        word not in (None, fact)
        for each in facts
        for word, fact in zip(said, (each.winner, each.player_total, each.banker_total), strict=True)
    )


def _right(event: ev.Event) -> Iterator[Piece]:
    """The pieces of a patron's right that an event gives."""
    match event:
        case ev.OfferOpened() | ev.CardsDelivered():
            yield Piece.OFFERED
        case ev.CardReplacementDue(need="patrons-choose"):
            yield Piece.OFFERED
        case ev.DeviceTaken() | ev.ComplaintRightTold() | ev.EffectCarriedOut(effect="allow-increase"):
            yield Piece.OFFERED
        case ev.OfferAnswered(withdrew=True) | ev.SqueezeRequested() | ev.CardDrawn() | ev.WagerPlaced():
            yield Piece.TAKEN_UP
        case ev.CardsChosen(replace=True) | ev.ComplaintFiled():
            yield Piece.TAKEN_UP
        case ev.OfferAnswered(withdrew=False) | ev.CardsDeclined() | ev.DeviceReleased():
            yield Piece.DECLINED
        case ev.CardsChosen(replace=False) | ev.DisputeClosed():
            yield Piece.DECLINED


def _is_act(event: ev.Event, before: tuple[PlayedCommand, ...], after: tuple[PlayedCommand, ...]) -> bool:
    """Whether an event shows that a rule was carried out: the table changed, or what it says has followed."""
    if isinstance(event, FOUND):
        return False
    if isinstance(event, ev.EffectCarriedOut) and event.statement:
        return event.done and event.effect in GOES_ON and _goes_on(before, after)
    if isinstance(event, ev.EffectCarriedOut):
        return event.done and event.effect not in ("play-card", "free-hand")
    if isinstance(event, ev.CardReplacementDue):
        return any(isinstance(each, ev.ShoeLoaded) for each in events_of(after))
    if isinstance(event, ev.FreeHandDue):
        return any(
            isinstance(each.body, cmd.DealFreeHand) and not isinstance(each.result, Refused) for each in after
        )
    if isinstance(event, ev.CardSeenInShoe):
        return any(isinstance(each, ev.CardDrawn) and each.card == event.card for each in events_of(after))
    return True


def events_of(steps: Iterable[PlayedCommand]) -> Iterator[ev.Event]:
    """The events of some steps in order; a refused one has none."""
    for step in steps:
        if not isinstance(step.result, Refused):
            yield from step.result


def _goes_on(before: tuple[PlayedCommand, ...], after: tuple[PlayedCommand, ...]) -> bool:
    """Whether a round that was to go on was settled, and not void; or had been, and stays so."""
    for event in events_of(after):
        if isinstance(event, ev.RoundVoided | ev.SettlementReversed):
            return False
        if isinstance(event, ev.RoundSettled):
            return True
    return any(isinstance(event, ev.RoundSettled) for event in events_of(before))


def _stands(before: tuple[PlayedCommand, ...], after: tuple[PlayedCommand, ...]) -> bool:
    """Whether an earlier round had been settled and nothing of it was taken back."""
    settled = any(isinstance(event, ev.RoundSettled) for event in events_of(before))
    undone = any(isinstance(event, ev.SettlementReversed) for event in events_of(after))
    return settled and not undone


class Power(Struct, frozen=True):
    """The posts that a clause names, and whether those above them have the power too."""

    posts: frozenset[Post]
    or_above: bool


def powers_of(document: Document) -> dict[str, Power]:
    """The power that each clause of a document gives to posts."""
    general, above = document.authority.higher_posts is not None, set[str]()
    found: dict[str, set[Post]] = {clause: {post} for clause, post in shelf_proof(document.id).posts.items()}
    for value in _structs(document):
        clause = getattr(value, "clause", None)
        for name in ("post", "by", "in_presence_of"):
            post = getattr(value, name, None)
            if clause and isinstance(post, str):
                found.setdefault(clause, set()).add(Post(post))
                above |= {clause} if getattr(value, "or_above", False) else set()
    return {clause: Power(frozenset(posts), general or clause in above) for clause, posts in found.items()}


def _structs(value: object) -> Iterator[Struct]:
    if isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _structs(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _structs(item)


def _given_by_person(step: PlayedCommand, powers: dict[str, Power], house: House) -> Iterator[Given]:
    """A power used by the post named, refused to the post below, and used by or refused to a higher one."""
    ladder = house.form.posts
    highest = max(_rank(ladder, step.posts), _rank(ladder, step.authoriser_posts))
    if isinstance(step.result, Refused):
        refused = step.result
        if refused.reason not in ABOUT_THE_PERSON:
            return
        required = dict(refused.params).get("post", "")
        for clause in refused.clauses:
            power = powers.get(clause)
            named = [str(required).removeprefix("@post.")] if required else power.posts if power else ()
            ranks = [ladder.index(Post(post)) for post in named if post in ladder]
            lowest = (
                min((ladder.index(post) for post in power.posts if post in ladder), default=None)
                if power
                else None
            )
            if highest + 1 in (*ranks, lowest):
                yield clause, Piece.LOWER_REFUSED
            if power and ranks and highest > max(ranks) and not power.or_above:
                yield clause, Piece.HIGHER
        return
    held = {*step.posts, *step.authoriser_posts}
    for clause in {
        clause for event in step.result if not isinstance(event, FOUND) for clause in event.clauses
    }:
        power = powers.get(clause)
        ranks = [ladder.index(post) for post in power.posts if post in ladder] if power else []
        if (power is None and held) or (power and held & power.posts):
            yield clause, Piece.USED
        elif power and ranks and highest > min(ranks) and power.or_above:
            yield clause, Piece.HIGHER


def _rank(ladder: tuple[Post, ...], posts: tuple[Post, ...]) -> int:
    """The place of somebody's highest post in the ladder; below it for a patron."""
    return max((ladder.index(post) for post in posts if post in ladder), default=-1)
