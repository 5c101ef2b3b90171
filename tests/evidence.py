"""Evidence for clauses, derived from the steps of a round; no test is believed without it."""

from collections.abc import Iterable, Iterator

from golden import Golden
from powers import ABOUT_THE_PERSON, FOUND, Given, Power, given_by_person, powers_of

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import blocking
from thirdcard.game.state import Case
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.set_up import TABLE_NAME, PlayedCommand
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Continue, ReserveCards, Situation, VoidRound
from thirdcard.rulebook.pages.coverage import Piece

# refusals of what was done already or comes later: nothing is left out by them
OUT_OF_TURN = (
    Refusal.NOT_IN_THIS_PHASE,
    Refusal.NOT_AWAITED,
    Refusal.WAS_DELIVERED,
    Refusal.HANDS_NOT_OPEN,
)
# refusals because what a clause describes is so: no hand draws by its row, or the set of cards is in doubt
HOLDS = (Refusal.NO_CARD_DUE, Refusal.CARDS_IN_DOUBT)
# refusals of a report that would have a clause passed by; any other report that is refused was not so
AGAINST_A_CLAUSE = (Refusal.WAS_NOT_PASSED, Refusal.EARLIER_ROUNDS_STAND)
# commands that leave the round under way
LEAVES_THE_ROUND = (cmd.OpenBetting, cmd.LoadShoe)
# events by which the table notices that something was left out or done against a rule; that a case opens is
# no such event: what went wrong is not what its clause asks for
NOTICED = (ev.AlarmRaised, ev.DifferentialExceeded)
# events that undo what was attempted
UNDONE = (ev.WagerHandedBack, ev.WagerPulledLate)
# events that show what lies on the other side of a clause, and nothing on this one
BEYOND = (*UNDONE, ev.FactsDisproved, ev.ReportWithdrawn)
# commands by which play goes on, whatever an irregularity under way still asks for
PLAYS_ON = (cmd.DrawCard, cmd.CallOutcome, cmd.ExposeCards, *LEAVES_THE_ROUND)
# events by which somebody who was there says how things lie
ATTESTS = (ev.EquipmentTicked, ev.CardsExposed)
# statements that the round goes on or that results stand: true only if that is what follows
GOES_ON = ("continue", "correct-settlement", "finish-shoe", "let-result-stand")
AGAINST_A_RULE = (Piece.LEFT_OUT, Piece.WITHHELD, Piece.ATTEMPTED, Piece.OTHER_SIDE)
# what a command shows that would have passed by a clause which it does not itself concern
PASSED_BY = (Piece.LEFT_OUT, Piece.WITHHELD)
# a call that is not a patron's: it is left out, and takes no effect
NOT_BY_A_PATRON = (Piece.LEFT_OUT, Piece.OTHER_SIDE)


def given_by_round(told: Golden) -> Iterator[Given]:
    """Every piece of evidence that a golden round gives."""
    powers = powers_of(told.rulebook.document)
    for number in range(len(told.played.steps)):
        yield from given_by_step(told, number, powers)


def given_by_step(told: Golden, number: int, powers: dict[str, Power]) -> Iterator[Given]:
    """The evidence that one step of a round gives, with those before and after it."""
    steps, document = told.played.steps, told.rulebook.document
    step, before = steps[number], steps[:number]
    if isinstance(step.result, Refused):
        yield from given_by_refusal(step, before, document)
    else:
        for place, event in enumerate(step.result):
            yield from _given_by_event(event, step, before, steps[number:])
            earlier = (*events_of(before), *step.result[:place])
            if isinstance(event, ev.OutcomeCalled) and _is_wrong(event, earlier):
                yield from _given_by_wrong_call(event, earlier, document)
            if isinstance(event, ev.PaymentCorrected):
                yield from ((clause, Piece.LEFT_OUT) for clause in _wrong_call_before(earlier, document))
            if isinstance(event, ev.ShoeLoaded):
                since = _since_last(earlier, ev.ShoeLoaded)
                due = (each for each in since if isinstance(each, ev.CardReplacementDue))
                yield from ((clause, Piece.USED) for each in due for clause in each.clauses)
            if isinstance(event, ev.CardDrawn):
                yield from _given_by_kept_device(event, earlier, document)
    yield from given_by_person(step, powers, told.house, document)


def given_by_refusal(
    step: PlayedCommand, before: tuple[PlayedCommand, ...], document: Document
) -> Iterator[Given]:
    """A refusal shows that something was attempted, left out or withheld, and that nothing changed."""
    refused = step.result
    assert isinstance(refused, Refused)
    if refused.reason is Refusal.NOT_STAFF:
        yield from ((clause, piece) for clause in refused.clauses for piece in NOT_BY_A_PATRON)
    if refused.reason in ABOUT_THE_PERSON:
        return
    if isinstance(step.body, cmd.ReportIrregularity) and refused.reason not in AGAINST_A_CLAUSE:
        if refused.reason is not Refusal.IRREGULARITY_UNDER_WAY:  # the table knows that it is not so
            yield from ((clause, Piece.OTHER_SIDE) for clause in refused.clauses)
        return
    passed_by = {*_held(step, refused), *_passed_by(step, refused, before, document)}
    pieces = [piece for piece in AGAINST_A_RULE if _counts(piece, step)]
    yield from ((clause, piece) for clause in passed_by for piece in pieces if piece in PASSED_BY)
    if refused.reason is Refusal.IRREGULARITY_UNDER_WAY:
        return  # it names the clause of its case, whatever that waits for
    if refused.reason in OUT_OF_TURN and not isinstance(step.body, cmd.CallOutcome):
        pieces = [piece for piece in pieces if piece not in PASSED_BY]
    if refused.reason in HOLDS:
        pieces.remove(Piece.OTHER_SIDE)
    yield from ((clause, piece) for clause in refused.clauses for piece in pieces)


def _counts(piece: Piece, step: PlayedCommand) -> bool:
    """Whether a refusal to somebody can show a piece: only staff withhold what patrons have a right to."""
    return piece is not Piece.WITHHELD or bool(step.posts) or isinstance(step.body, cmd.TakeDevice)


def _held(step: PlayedCommand, refused: Refused) -> Iterator[str]:
    """The clauses that an irregularity under way is still to carry out, and that a command would pass by."""
    case = blocking(step.before) if step.before else None
    if refused.reason is not Refusal.IRREGULARITY_UNDER_WAY or case is None:
        return
    current = step.before.round if step.before else None
    for effect in case.effects[case.done :]:
        stays = isinstance(effect, Continue) and not isinstance(step.body, LEAVES_THE_ROUND)
        void = isinstance(effect, VoidRound) and current is not None and current.void
        if not (stays or void):
            yield from _clause(effect)
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
    if refused.reason is Refusal.NOT_IN_THIS_PHASE and isinstance(step.body, LEAVES_THE_ROUND):
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
    pieces = {*_right(event)}
    pieces.add(Piece.OTHER_SIDE if isinstance(event, BEYOND) else Piece.THIS_SIDE)
    if isinstance(event, (*NOTICED, *UNDONE)):
        pieces.update((Piece.LEFT_OUT, Piece.WITHHELD, Piece.ATTEMPTED))
    if isinstance(event, ev.CardsReconstructed) and isinstance(step.body, PLAYS_ON) and _waited(step, event):
        pieces.add(Piece.LEFT_OUT)  # somebody went on without, and the table does it first
    if isinstance(event, ATTESTS) and step.actor != TABLE_NAME:
        pieces.add(Piece.ATTESTED)
    if _is_act(event, before, after):
        pieces.add(Piece.DONE)
    yield from ((clause, piece) for clause in event.clauses for piece in pieces)
    if isinstance(event, ev.OfferOpened | ev.OfferAnswered):
        yield from _given_by_choice(event, step)
    if isinstance(event, ev.RoundSettled):
        settled = {clause for wager in event.wagers for clause in wager.clauses}
        yield from ((clause, piece) for clause in settled for piece in (Piece.DONE, Piece.THIS_SIDE))


def _waited(step: PlayedCommand, event: ev.CardsReconstructed) -> bool:
    """Whether a case that was open before a step had still to do what an event shows."""
    cases = step.before.open_cases if step.before else ()
    left = {clause for case in cases for effect in case.effects[case.done :] for clause in _clause(effect)}
    return bool(left.intersection(event.clauses))


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


def _is_wrong(called: ev.OutcomeCalled, earlier: tuple[ev.Event, ...]) -> bool:
    """Whether the Dealer called another winner or other points than the cards have."""
    facts = [event.facts for event in earlier if isinstance(event, ev.OutcomeKnown)][-1:]
    said = (called.winner, called.player, called.banker)
    return any(
        word not in (None, fact)
        for each in facts
        for word, fact in zip(said, (each.winner, each.player_total, each.banker_total), strict=True)
    )


def _about_calls(document: Document) -> set[str]:
    """The clauses by which the cards decide where the Dealer called another result."""
    rows = (row for row in document.irregularities if row.situation is Situation.WRONG_CALL)
    return {row.clause for row in rows if row.clause}


def _given_by_wrong_call(
    called: ev.OutcomeCalled, earlier: tuple[ev.Event, ...], document: Document
) -> Iterator[Given]:
    """A wrong call leaves out the right one, and what a clause says of the cards.

    They decide also where a display showed the same result, or where they were put in order before.
    """
    for clause in {*called.clauses} - _about_calls(document):
        yield from ((clause, piece) for piece in AGAINST_A_RULE)
    for event in _since_last(earlier, ev.RoundBegan):
        shown = isinstance(event, ev.DeviceMismatch) and event.device is called.winner
        if shown or isinstance(event, ev.CardsReconstructed):
            yield from ((clause, Piece.LEFT_OUT) for clause in event.clauses)


def _wrong_call_before(earlier: tuple[ev.Event, ...], document: Document) -> Iterator[str]:
    """The clauses about a wrong call by which somebody was paid, where the payment was taken back."""
    for event in _since_last(earlier, ev.RoundBegan):
        if isinstance(event, ev.OutcomeCalled):
            yield from {*event.clauses} & _about_calls(document)


def _given_by_kept_device(
    drawn: ev.CardDrawn, earlier: tuple[ev.Event, ...], document: Document
) -> Iterator[Given]:
    """A patron whose wager did not lose draws in the next round too, without taking the device again."""
    control = document.methods.control if document.methods else None
    taken = _since_last(earlier, ev.DeviceTaken)
    settled = [event for event in taken if isinstance(event, ev.RoundSettled)]
    holds = any(isinstance(event, ev.DeviceTaken) and event.patron == drawn.by for event in earlier)
    released = any(isinstance(event, ev.DeviceReleased) for event in taken)
    wagered = any(wager.patron == drawn.by for event in settled for wager in event.wagers)
    if control and holds and wagered and not released:
        yield control.wager_loses, Piece.OTHER_SIDE


def _since_last(earlier: tuple[ev.Event, ...], sort: type) -> tuple[ev.Event, ...]:
    """The events after the last one of a sort, or all."""
    places = [place for place, event in enumerate(earlier) if isinstance(event, sort)]
    return earlier[places[-1] + 1 :] if places else earlier


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
