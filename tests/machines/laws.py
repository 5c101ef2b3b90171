"""The laws of irregularities, held against a table after every step, and a walk that tries to break them."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import zip_longest

import msgspec
from machines.card_places import is_card_forgotten, is_face_lost, seen_card_opens
from msgspec.structs import replace

from thirdcard.cards import NEW_DECK, parse_card
from thirdcard.folds.ledger import FELT, HELD, entries
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.case_cards import is_deal_completed_first
from thirdcard.game.decide import decide
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.new_cards import not_chosen
from thirdcard.game.irregularities.rulings import choices_of
from thirdcard.game.places import coming, known_faces
from thirdcard.game.state import CardState, Case, Hand, Phase, Table, Wait
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.head import START
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Refer, Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import post_name

DEALER, CARDS_IN_A_DECK = "Dealer", 52
# events by which a case goes its way, and which change nothing else
OF_THE_CASE = (
    ev.IrregularityReported,
    ev.CaseWaits,
    ev.FactsConfirmed,
    ev.FactsDisproved,
    ev.ReportWithdrawn,
    ev.RulingMade,
    ev.EffectCarriedOut,
    ev.CaseClosed,
)
# commands by which people tell something, or decide it
TOLD = (
    cmd.ReportIrregularity,
    cmd.ConfirmFacts,
    cmd.DisproveFacts,
    cmd.Rule,
    cmd.ReduceWager,
    cmd.EnterSortedCards,
    cmd.DecideDispute,
    cmd.AnswerComplaint,
)
# events that establish or correct money by word of people
BY_WORD = (ev.WagerFound, ev.WrongPaymentFound, ev.PaymentCorrected, ev.CardCorrected)
# what the cards of a walk are, in order: the rules decide how many come
MOST_WAYS = 60  # out of a case that are followed
FACES = ("2", "3", "4", "5", "9", "8", "7", "6", "A", "K")


Step = tuple[cmd.Body, str]  # a command, and who gives it


class Broken(AssertionError):
    """A law is broken; the message says which, and how the table got there."""


class Walk:
    """A table that is walked through irregularities; it can be copied at any point."""

    def __init__(self, rulebook: Rulebook, house: House, table: Table, story: tuple[str, ...] = ()) -> None:
        self.rulebook, self.house, self.table = rulebook, house, table
        self.story = story
        self.events: list[ev.Event] = []
        self.felt = self.held = 0
        self.drawn = 0
        self.number = 0
        self.changed = True  # since the last effect of a case
        self.played_by_ruling = False

    def copy(self) -> Walk:
        """The same table again, to go another way."""
        other = Walk(self.rulebook, self.house, self.table, self.story)
        other.events, other.felt, other.held = list(self.events), self.felt, self.held
        other.drawn, other.number = self.drawn, self.number
        other.changed, other.played_by_ruling = self.changed, self.played_by_ruling
        return other

    def do(self, body: cmd.Body, actor: str = DEALER, authoriser: str | None = None) -> Refused | None:
        """Decide a command, hold the laws against everything that follows, and go on from there."""
        self.number += 1
        received = START + timedelta(seconds=self.number)
        envelope = cmd.Envelope(
            actor=actor, received_at=received, command_id=f"w{self.number}", authoriser=authoriser
        )
        result = decide(self.rulebook, self.house, self.table, cmd.Command(body, envelope))
        if isinstance(result, Refused):
            return result
        before = self.table
        self.story += (f"{actor}: {body}",)
        for event in result:
            old = self.table
            self.table = apply(old, event)
            self.events.append(event)
            self._look_at(event, old, authoriser)
        self._conserved()
        if authoriser is None and not self._is_theirs(body, actor, before):
            self._nobody_alone(body, before)
        return None

    def by_people(self, body: cmd.Body, actor: str) -> Refused | None:
        """Let one person do it, and where that is not enough two."""
        refused = self.do(body, actor)
        if refused is not None and refused.reason is Refusal.SECOND_PERSON_NEEDED:
            return self.do(body, actor, "Pit Manager" if actor != "Pit Manager" else DEALER)
        return refused

    def _is_theirs(self, body: cmd.Body, actor: str, before: Table) -> bool:
        """Whether it is one person's own: a step of play, an option, or what a clause gives to a post."""
        case = before.case
        match body:
            case cmd.Rule():
                effect = case.effects[case.done] if case else None
                return (
                    not isinstance(effect, Refer) or self.rulebook.document.authority.not_covered is not None
                )
            case cmd.ConfirmFacts() | cmd.DisproveFacts():
                return case is not None and case.by != actor
            case cmd.ReduceWager():
                return body.patron == actor
            case _:
                return not isinstance(body, TOLD)

    def _nobody_alone(self, body: cmd.Body, before: Table) -> None:
        """Law 6: what one person tells leaves everybody's money as it is."""
        after, closed = self.table, before.phase not in (Phase.SHUT, Phase.BETTING)
        away = {each.id: each.pulled for each in before.wagers}
        if any(each.pulled > away.get(each.id, 0) for each in after.wagers):
            raise self.broken("law 6, nobody books chips away alone")
        if not closed or not is_known(before):
            return
        facts = before.round.facts if before.round else None
        if _at_stake(before) != _at_stake(after):
            raise self.broken("law 6, nobody changes a wager alone")
        if facts is not None and (after.round is None or after.round.facts != facts):
            raise self.broken("law 6, nobody changes the outcome alone")
        drawn = isinstance(body, cmd.ReportIrregularity) and body.situation is Situation.CARDS_TOGETHER
        if after.offer is not None and before.offer is None and not drawn:
            raise self.broken("law 6, nobody opens an offer alone")

    def broken(self, law: str) -> Broken:
        """A broken law with the way that led there."""
        return Broken(f"{law} at {self.rulebook.id}\n" + "\n".join(self.story[-12:]))

    def _look_at(self, event: ev.Event, old: Table, authoriser: str | None) -> None:
        entered = entries(event)
        self.felt += sum(amount for account, amount in entered if account == FELT)
        self.held += sum(amount for account, amount in entered if account == HELD)
        if sum(amount for _, amount in entered):
            raise self.broken(f"law 7, money: {event}")
        if entered and not event.clauses and getattr(event, "procedure", None) is None:
            raise self.broken(f"money without a ground: {event}")
        if isinstance(event, BY_WORD) and authoriser is None and not self.played_by_ruling:
            decided = isinstance(event, ev.PaymentCorrected | ev.WrongPaymentFound)
            if not (decided and any(isinstance(each, ev.RulingMade) for each in self.events[-8:])):
                raise self.broken(f"law 6, nobody alone: {event}")
        if isinstance(event, ev.RulingMade):
            self.played_by_ruling = event.choice in ("play-card", "keep-as-next-card") or any(
                each in ("play-card", "keep-as-next-card") for each in event.also
            )
        if isinstance(event, ev.EffectCarriedOut) and not event.lapsed:
            if event.done and not event.statement and not self.changed:
                raise self.broken(f"law 2, nothing changed by {event.effect}")
            self.changed = False
        elif not isinstance(event, OF_THE_CASE) or isinstance(event, ev.RulingMade | ev.IrregularityReported):
            self.changed = True
        if isinstance(event, ev.RoundVoided):
            lay = Counter({each.id: each.stake for each in old.wagers})
            if Counter({each.id: each.stake for each in event.returned}) != lay or self.table.wagers:
                raise self.broken("law 5, a void round returns everything")
        self._look_at_cards(event, old)
        self._begins(event, old)

    def _look_at_cards(self, event: ev.Event, old: Table) -> None:
        if is_card_forgotten(old, event, self.events):
            raise self.broken("law 9, a card that nobody has judged")
        if is_face_lost(old, event, self.table):
            raise self.broken("law 7, a card takes the place of another one")

    def _begins(self, event: ev.Event, old: Table) -> None:
        if isinstance(event, ev.BettingOpened):
            self._opens(old)
        if seen_card_opens(old, event, free_hands=self.rulebook.document.free_hand is not None):
            raise self.broken("law 8, a seen card opens a round with wagers")

    def _opens(self, table: Table) -> None:
        shoe = table.shoe
        assert shoe is not None
        if table.free_hand_by or shoe.new_cards_due or shoe.doubted_by or shoe.patrons_choose:
            raise self.broken("law 3, an obligation was passed by")
        if any(table.strays) and not any(
            isinstance(each, ev.RulingMade) and {"play-card", "keep-as-next-card"} & {each.choice, *each.also}
            for each in self.events
        ):
            raise self.broken("law 8, a seen card opens a round with wagers")

    def _conserved(self) -> None:
        table, shoe = self.table, self.table.shoe
        if shoe is None:
            return
        current = table.round
        own = current is not None and current.shoe == shoe.number
        lying = len(current.cards) if current is not None and own and not current.ended else 0
        outside = lying + len(table.aside) + len(table.strays) + len(table.reserved)
        if shoe.left + outside + shoe.discards != shoe.decks * CARDS_IN_A_DECK:
            raise self.broken("law 7, cards")
        if self.felt != sum(each.lying for each in table.wagers if not each.held):
            raise self.broken("law 7, chips on the felt")
        if self.held != sum(each.amount for each in table.held):
            raise self.broken("law 7, money that is held")

    # how people answer

    def post(self, post: str) -> str:
        """The person in a post."""
        return post_name(post)

    def desk(self) -> QueryDesk:
        """A desk to ask what may be ruled."""
        return QueryDesk(self.rulebook, self.house, self.table)

    def answers(self) -> list[list[Step]]:
        """Every way in which the case on top can be answered, each as commands with their people."""
        case = self.table.case
        assert case is not None
        if case.offer is not None:
            left = [name for name in case.offer.asked if name not in case.offer.answered]
            stay: list[Step] = [(cmd.AnswerOffer(patron=name, withdraw=False), name) for name in left]
            go: list[Step] = [(cmd.AnswerOffer(patron=name, withdraw=True), name) for name in left]
            return [stay, go, [(cmd.EndOffer(), DEALER)]]
        top = self.post(self.house.form.posts[-1])
        match case.waits:
            case Wait.CONFIRMATION:
                confirmed = self.post(self.house.form.facts_confirmed_by)
                other = confirmed if case.by != confirmed else top
                return [[(cmd.ConfirmFacts(), confirmed)], [(cmd.DisproveFacts(found="it is not so"), other)]]
            case Wait.PERMISSION | Wait.DECISION:
                return [
                    [(self._ruling(choice, case), self._decider(case))]
                    for choice in choices_of(self.desk(), case)
                ]
            case Wait.CARD_ORDER:
                return [[(cmd.Rule(choice="order", cards=case.cards), self._decider(case))]]
            case Wait.RESERVED_CARDS:
                shoe, usual = self.table.shoe, [parse_card(text) for text in ("9D", "6C")]
                assert shoe is not None
                known = zip_longest(known_faces(shoe, coming(shoe, len(usual))), usual)
                cards = tuple(card for face, other in known if (card := face or other))
                return [[(cmd.ReserveCards(cards=cards), self.post("gaming-shift-manager"))]]
            case Wait.SORTED_CARDS:
                return [self._sorted()]
            case Wait.SUBSTITUTES:
                return [[(cmd.SubstituteCards(cards=case.missing), self.post("gaming-shift-manager"))]]
            case _:
                raise self.broken("a case that waits for nothing")

    def _ruling(self, choice: str, case: Case) -> cmd.Rule:
        patron = next((each.name for each in self.table.patrons if not each.gone), None)
        pays = choice == "pay"
        return cmd.Rule(
            choice=choice, text="because", patron=patron if pays else None, amount=1_000 if pays else 0
        )

    def _decider(self, case: Case) -> str:
        effect = case.effects[case.done]
        grant = self.rulebook.document.authority.not_covered
        if isinstance(effect, Refer):
            return self.post(grant.post if grant else self.house.form.not_covered_decided_by)
        return self.post(getattr(effect, "by", None) or DEALER.lower())

    def _sorted(self) -> list[Step]:
        """Open the cards that patrons still have; then the sorted decks lack all that are out."""
        current = self.table.round
        assert current is not None
        steps: list[Step] = []
        for holding in current.holdings:
            closed = [e for e in current.cards if e.hand is holding.hand and e.state is not CardState.EXPOSED]
            mine = self.table.case is not None and holding.patron == self.table.case.patron
            if closed and not mine:
                shown = cmd.ExposeCards(hand=holding.hand, cards=NEW_DECK[: len(closed)])
                steps.append((shown, holding.patron))
        known = [e.card for e in current.cards if e.card] + list(self.table.reserved)
        unknown = sum(e.card is None for e in current.cards)
        extra = [card for step, _ in steps if isinstance(step, cmd.ExposeCards) for card in step.cards]
        missing = [parse_card("4H")] * (unknown - len(extra))
        lacking = tuple(card for card in (*known, *extra, *missing) if card)
        return [*steps, (cmd.EnterSortedCards(lacking=lacking), DEALER)]

    # how play goes on

    def settle_cases(self) -> list[Walk]:
        """Every table that the answers to all open cases lead to."""
        waiting, done, seen = [self], [], set[bytes]()
        while waiting:
            walk = waiting.pop()
            key = msgspec.json.encode(walk.table)
            if key in seen:
                continue
            seen.add(key)
            if walk.table.case is None or is_deal_completed_first(walk.table, walk.table.case):
                done.append(walk)
                continue
            ways = []
            for steps in walk.answers():
                other = walk.copy()
                refused = None
                for body, actor in steps:
                    refused = other.by_people(body, actor)
                    if refused:
                        break
                if refused is None:
                    ways.append(other)
            if not ways:
                raise walk.broken(f"law 4, nobody can answer {walk.table.case}")
            waiting += ways
            if len(done) + len(waiting) > MOST_WAYS:
                break
        return done

    def play_to_the_end(self) -> None:
        """The Dealer goes on until the table is ready for the next round."""
        for _ in range(40):
            case = self.table.case
            if case is not None and not is_deal_completed_first(self.table, case):
                self._answer_first()
            elif self._step() == "over":
                return
        raise self.broken("law 4, the table never comes to an end")

    def _answer_first(self) -> None:
        for steps in self.answers():
            other = self.copy()
            if all(other.by_people(body, actor) is None for body, actor in steps):
                self.__dict__.update(other.__dict__)
                return
        raise self.broken(f"law 4, nobody can answer {self.table.case}")

    def _step(self) -> str:
        table, shoe = self.table, self.table.shoe
        assert shoe is not None
        chooser = self.post(self.house.form.new_cards_decided_by)
        before_cards = table.phase in (Phase.IDLE, Phase.BETTING, Phase.CLOSED)
        if table.free_hand_by is not None and before_cards and not (shoe.new_cards_due or shoe.doubted_by):
            return self._must(cmd.DealFreeHand())
        if table.phase is Phase.IDLE or (table.phase in (Phase.BETTING, Phase.CLOSED) and shoe.doubted_by):
            if shoe.doubted_by is not None or shoe.patrons_choose:
                asked = not_chosen(self.desk())
                body = cmd.EndOffer() if asked else cmd.ChooseCards(replace=False)
                return self._must(body, chooser)
            if shoe.new_cards_due or shoe.rounds_left == 0 or shoe.left == 0:
                return self._must(cmd.LoadShoe(decks=shoe.decks), chooser) and "over"
            return "over" if self.do(cmd.OpenBetting()) is None else self._stuck("OpenBetting")
        if table.phase is Phase.BETTING:
            return self._must(cmd.CloseBetting())
        if table.phase is Phase.OUTCOME:
            assert table.round is not None
            assert table.round.facts is not None
            return self._must(cmd.CallOutcome(winner=table.round.facts.winner))
        return self._deal()

    def _deal(self) -> str:
        """Burn what is owed, open what lies closed, draw what is due."""
        table, current = self.table, self.table.round
        refused = self._draw()
        if refused is None:
            return "on"
        if refused.reason is Refusal.BURN_OWED:
            return self._must(cmd.BurnCards(first=parse_card("3")))
        if refused.reason in (Refusal.NEW_CARDS_DUE, Refusal.FREE_HAND_DUE):  # the free hand waits for them
            assert table.shoe is not None
            loaded = self._must(cmd.LoadShoe(decks=table.shoe.decks))
            burns = self.desk().document.burn is not None
            return self._must(cmd.BurnCards(first=parse_card("3"))) if burns else loaded
        if refused.reason is Refusal.DIFFERENTIAL_MUST_BE_MET:
            return self._stuck("differential")
        assert current is not None
        for hand in Hand:
            cards = [each for each in current.cards if each.hand is hand]
            if cards and any(each.state is not CardState.EXPOSED for each in cards):
                faces = tuple(each.card or parse_card("7C") for each in cards)
                body = cmd.ExposeCards(hand=hand, cards=tuple(face for face in faces if face))
                holder = next((each.patron for each in current.holdings if each.hand is hand), DEALER)
                if self.do(body, holder) is None:
                    return "on"
        return self._stuck(f"{table.phase} {refused.reason}")

    def _draw(self) -> Refused | None:
        face = FACES[self.drawn % len(FACES)]
        refused = self.do(cmd.DrawCard(card=parse_card(face)))
        if refused is not None and refused.reason is Refusal.OTHER_CARD_EXPECTED:
            refused = self.do(cmd.DrawCard(card=None))
        self.drawn += refused is None
        return refused

    def _must(self, body: cmd.Body, actor: str = DEALER) -> str:
        refused = self.do(body, actor)
        return "on" if refused is None else self._stuck(f"{body} refused: {refused.reason}")

    def _stuck(self, what: str) -> str:
        raise self.broken(f"law 4, the table cannot go on: {what}")


def is_known(table: Table) -> bool:
    """Whether somebody knows a card that the round has, or is to have."""
    current = table.round
    over = current is None or (current.ended and table.phase is not Phase.IDLE)
    cards = current.cards if current and not over else ()
    lying = any(each.card or each.state is not CardState.FACE_DOWN for each in cards)
    ahead = table.shoe.places.ahead if table.shoe else ()
    return lying or any(table.aside) or any(table.strays) or bool(ahead)


def _at_stake(table: Table) -> tuple[object, ...]:
    settled = table.round.settled if table.round else ()
    return table.wagers, settled, table.credits


def begun(game: str, head: str, lines: str) -> Walk:
    """A table at the point to which the lines of a round file lead; none of them may be refused."""
    file = parse(f"game {game}\n{head}{lines}")
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    player = Player(rulebook, house, file.settings.start)
    set_up(player, file.settings)
    assert player.table is not None
    walk = Walk(rulebook, house, player.table)
    for act, _ in file.acts:
        for body in act.bodies:
            refused = walk.do(body, act.actor, act.authoriser)
            assert refused is None, (game, act.text, refused)
    return walk


def bare(table: Table) -> Table:
    """The table without what only the record of cases has."""
    current = table.round
    return replace(
        table, open_cases=(), cases=0, round=replace(current, noted=()) if current is not None else None
    )
