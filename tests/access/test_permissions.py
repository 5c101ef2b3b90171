"""Every command and every endpoint by everybody, cell by cell against matrices that were typed by hand."""

import typing

import pytest
from access.matrices import HOUR, NOW, bodies, floor_bodies, matrix, tag
from access.signing import SETUP
from msgspec.structs import replace
from streams.openings import face

from thirdcard.access.actors import Actor, AtTerminal, ByAccount, OfTable, Staff, Stranger
from thirdcard.access.endpoints import MAY_CALL, Endpoint, may_call
from thirdcard.access.permissions import (
    FACES,
    MAY_SEND,
    MAY_SEND_TO_FLOOR,
    NAMES_A_PATRON,
    PATRON,
    PermissionContext,
    admit,
    as_what,
    bound_to,
    may_authorise,
    name_of,
    refuse_to_floor,
)
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Floor, Person, Scope, Secret, ServiceAccount, TableDefinition
from thirdcard.game import commands as cmd
from thirdcard.game.dispute_steps import Dispute
from thirdcard.game.money_state import UnseenMoney
from thirdcard.game.shoe import Seal
from thirdcard.game.state import Balance, Hand, OnDuty, Patron, Table
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Acting, Post

HOUSE_FORMS = SHIPPED.houses
ACE = face("AS")


# the table


MBS = {
    "d": "dealer",
    "s": "pit-supervisor",
    "m": "pit-manager",
    "a": "assistant-casino-manager",
    "g": "gaming-shift-manager",
}
HOIANA = {
    "i": "dealer-inspector",
    "h": "shift-manager",
    "r": "assistant-director",
    "e": "senior-management",
}
OFFICES = {"t": "attendant", "v": "surveillance", "u": "auditor"}
ON_DUTY = {**MBS, **HOIANA}


def staff(key: str) -> Staff:
    """Somebody by the letter of their column, who is called by it."""
    posts = {**ON_DUTY, **OFFICES, "o": "pit-manager", "l": "pit-supervisor", "n": "king"}
    return Staff(key, (Post(posts[key]),), "C1", "s1")


def scene(key: str, *, virtual: bool = False) -> PermissionContext:
    """The table that a column is about, with everybody on duty and two patrons."""
    house = "hoiana" if key in HOIANA else "marina-bay-sands"
    setup = replace(SETUP, house=house, training=key == "n")
    ladder = HOIANA if key in HOIANA else {**MBS, "l": "pit-manager"}
    table = Table(
        setup=setup,
        staff=tuple(OnDuty(name, Post(post)) for name, post in ladder.items()),
        patrons=(Patron("Ann", 3, True), Patron("Bob", 4, True)),
        disputes=(Dispute(1, "Ann", "the call"), Dispute(2, "Bob", "the call")),
    )
    people = tuple(
        Person(name=name, posts=(Post("dealer"),), password="", second_factor=Secret("k", b""))
        for name in (*ON_DUTY, *OFFICES, "o", "l", "Zed")
    )
    training = key == "n"  # the table there deals by itself
    definition = TableDefinition(setup=setup, virtual_shoe=virtual or training, automatic_dealer=training)
    return PermissionContext(HOUSE_FORMS, Floor(people=people, tables=(definition,)), definition, table, NOW)


TERMINAL = AtTerminal(terminal="E1", table="T1", enabled=True, training=False, patron="Ann", position=3)
ACTORS: dict[str, Actor] = {
    "p": TERMINAL,
    "n": replace(TERMINAL, training=True),
    "q": TERMINAL,
    "w": replace(TERMINAL, patron=None),
    "f": replace(TERMINAL, enabled=False),
    "b": replace(TERMINAL, table="T2"),
    "c": OfTable("T1", device=True),
    "k": OfTable("T1"),
    "y": OfTable("T2"),
    "z": Stranger(),
    "K": ByAccount("K", (Scope.CREDITS,)),
    "T": ByAccount("T", tuple(each for each in Scope if each is not Scope.CREDITS)),
}


COMMANDS = matrix("commands.matrix")
COLUMNS = (*ON_DUTY, "o", "l", *OFFICES, *ACTORS)
ABOUT_BY_ID = (cmd.AnswerDecision, cmd.ConfirmReceipt, cmd.FileComplaint)


def test_every_command_and_everybody_is_in_the_matrix() -> None:
    kinds = typing.get_args(cmd.Body)
    assert [*COMMANDS] == [tag(kind) for kind in kinds]
    assert {*MAY_SEND} == {*kinds}
    assert [type(body) for body in bodies("d", "dealer", "Ann")] == [*kinds]
    assert {column for row in COMMANDS.values() for column in row} == {*COLUMNS}
    ladders = {post for house in HOUSE_FORMS for post in house.form.posts}
    assert ladders == set(ON_DUTY.values())


@pytest.mark.parametrize("column", COLUMNS)
def test_every_command_by_everybody(column: str) -> None:
    actor = ACTORS.get(column) or staff(column)
    post = actor.posts[0] if isinstance(actor, Staff) else "dealer"
    patron = "Bob" if column == "q" else ("Cid" if isinstance(actor, Staff) else "Ann")
    found = {}
    for body in bodies(name_of(actor), post, patron):
        answer = admit(scene(column), actor, body).refused
        about = column == "q" and not any(hasattr(body, field) for field in (*NAMES_A_PATRON, "setup"))
        found[tag(type(body))] = "x" if not isinstance(answer, Refused) else "."
        if about and not isinstance(body, ABOUT_BY_ID):
            found[tag(type(body))] = "-"
    assert found == {name: row[column] for name, row in COMMANDS.items()}


@pytest.mark.parametrize(
    ("virtual", "automatic"), [(True, False), (False, True), (False, False)], ids=["dealer", "reader", "felt"]
)
def test_cards_are_asked_for_only_where_the_table_deals_from_its_own_shoe(
    virtual: bool, automatic: bool
) -> None:
    context = scene("n")
    body = cmd.DealNow(patron="Ann")
    assert admit(context, ACTORS["n"], body).refused is None
    definition = replace(context.definition, virtual_shoe=virtual, automatic_dealer=automatic)
    answer = admit(replace(context, definition=definition), ACTORS["n"], body).refused
    assert answer is not None
    assert answer.reason is Refusal.NOT_PERMITTED


def test_what_a_patron_sends_is_about_a_patron_or_bound_in_some_other_way() -> None:
    by_patrons = [kind for kind, senders in MAY_SEND.items() if PATRON in senders]
    free = [kind for kind in by_patrons if not set(kind.__struct_fields__) & set(NAMES_A_PATRON)]
    # the engine lets only the holder of the device draw, only the holder of a hand open it, and only whoever
    # is asked answer a request
    assert free == [
        cmd.ConfirmCredits,
        cmd.DrawCard,
        cmd.ExposeCards,
        cmd.AnswerDecision,
        cmd.ConfirmReceipt,
        cmd.FileComplaint,
    ]


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("o", Refusal.NOT_STAFF),
        ("t", Refusal.NOT_STAFF),
        ("w", Refusal.NOT_PERMITTED),
        ("f", Refusal.TERMINAL_DISABLED),
        ("z", Refusal.NOT_SIGNED_IN),
        ("y", Refusal.NOT_PERMITTED),
    ],
)
def test_the_refusal_says_what_is_missing(column: str, reason: Refusal) -> None:
    answer = admit(scene(column), ACTORS.get(column) or staff(column), cmd.OpenBetting()).refused
    assert isinstance(answer, Refused)
    assert answer.reason is reason


def test_before_a_table_is_set_up_nobody_is_on_duty() -> None:
    bare = replace(scene("m"), table=None)
    assert admit(bare, staff("m"), cmd.OpenBetting()).refused is not None
    assert admit(bare, OfTable("T1"), cmd.SetUpTable(setup=SETUP)).refused is None
    other = cmd.SetUpTable(setup=replace(SETUP, table="T2"))
    assert admit(bare, OfTable("T1"), other).refused is not None
    assert isinstance(bound_to(TERMINAL, cmd.AnswerDecision(id=1, agrees=True), None), Refused)


def test_a_house_that_is_not_there_has_no_ladder() -> None:
    bare = scene("m")
    strange = replace(bare.definition, setup=replace(bare.definition.setup, house="elsewhere"))
    body = cmd.ComeOnDuty(person="m", post=Post("pit-manager"))
    assert admit(replace(bare, definition=strange), staff("m"), body).refused is not None


# posts are taken and given within what the floor says


def reason(answer: object) -> Refusal | None:
    return answer.reason if isinstance(answer, Refused) else None


def test_people_come_on_duty_themselves_and_in_a_post_that_they_have() -> None:
    def come(person: str, post: str, place: PermissionContext) -> Refusal | None:
        return reason(admit(place, staff("o"), cmd.ComeOnDuty(person=person, post=Post(post))).refused)

    place = scene("o")
    assert come("o", "pit-manager", place) is None
    assert come("o", "gaming-shift-manager", place) is Refusal.NOT_PERMITTED
    assert come("o", "dealer", place) is Refusal.NOT_PERMITTED
    assert come("d", "pit-manager", place) is Refusal.NOT_PERMITTED
    assert place.table is not None
    sitting = replace(place.table, patrons=(Patron("o", None, True),))
    assert come("o", "pit-manager", replace(place, table=sitting)) is Refusal.NOT_PERMITTED


def test_a_post_of_another_house_is_none_here() -> None:
    body = cmd.ComeOnDuty(person="h", post=Post("shift-manager"))
    assert reason(admit(scene("m"), staff("h"), body).refused) is Refusal.NOT_PERMITTED
    assert reason(admit(scene("h"), staff("h"), body).refused) is None


def test_who_is_in_charge_sends_others_off_duty() -> None:
    body = cmd.GoOffDuty(person="d")
    assert reason(admit(scene("m"), staff("m"), body).refused) is None
    assert reason(admit(scene("s"), staff("s"), body).refused) is Refusal.NOT_PERMITTED


def acting(person: str, post: str, by: str, place: PermissionContext | None = None) -> Refusal | None:
    body = cmd.AppointActing(person=person, post=Post(post), start=NOW, end=NOW + HOUR)
    return reason(admit(place or scene(by), staff(by), body).refused)


def test_nobody_appoints_themselves_or_anybody_above_them_or_without_a_second_factor() -> None:
    assert acting("d", "pit-supervisor", "m") is None
    assert acting("d", "pit-manager", "m") is None
    assert acting("d", "gaming-shift-manager", "m") is Refusal.NOT_PERMITTED
    assert acting("d", "senior-management", "g") is Refusal.NOT_PERMITTED
    assert acting("m", "pit-manager", "m") is Refusal.SECOND_PERSON_NEEDED
    assert acting("Nobody", "dealer", "m") is Refusal.NO_SUCH_PERSON
    place = scene("m")
    plain = Person(name="New", posts=(Post("dealer"),), password="")
    locked = replace(plain, name="Out", locked="left")
    grown = replace(place, floor=replace(place.floor, people=(*place.floor.people, plain, locked)))
    assert acting("New", "pit-supervisor", "m", grown) is None
    assert acting("New", "pit-manager", "m", grown) is Refusal.SECOND_FACTOR_NEEDED
    assert acting("Out", "dealer", "m", grown) is Refusal.NO_SUCH_PERSON


def test_somebody_acting_is_on_duty_for_that_time() -> None:
    place = scene("m")
    assert place.table is not None
    for start, on_duty in ((NOW, True), (NOW - HOUR, False), (NOW + HOUR, False)):
        term = Acting("o", Post("pit-manager"), start, start + HOUR)
        later = replace(place, table=replace(place.table, acting=(term,)))
        assert (reason(admit(later, staff("o"), cmd.OpenBetting()).refused) is None) is on_duty


def test_staff_bring_no_patron_with_the_name_of_somebody_else() -> None:
    for name in ("Zed", "T1", "server", " "):
        for actor in (staff("d"), staff("t")):
            answer = admit(scene("d"), actor, cmd.ComeToTable(patron=name)).refused
            assert reason(answer) is Refusal.NAME_TAKEN


@pytest.mark.parametrize("there", [{"patrons": (Patron("t", None, True),)}, {"credits": (Balance("t", 1),)}])
def test_somebody_with_the_name_of_a_patron_here_is_no_staff_here(there: dict[str, object]) -> None:
    """A patron may have had the name first; credits that one moves as one's own need nobody else."""
    context, actor = scene("t"), staff("t")
    assert context.table is not None
    sale = cmd.BuyCredits(terminal="t", amount=10**9)
    assert admit(context, actor, sale).refused is None
    refused = admit(replace(context, table=replace(context.table, **there)), actor, sale).refused
    assert refused is not None


def test_a_service_account_with_the_name_of_a_patron_here_sells_nothing() -> None:
    context, sale = scene("d"), cmd.BuyCredits(terminal="Ann", amount=1)
    assert context.table is not None
    sitting = replace(context, table=replace(context.table, patrons=(Patron("K", None, True),)))
    assert admit(sitting, ACTORS["K"], sale).refused is not None
    assert admit(replace(context, table=None), ACTORS["K"], sale).refused is None


def test_a_second_person_is_another_one_and_on_duty_here() -> None:
    place = scene("m")
    fill = cmd.FillChips(count=())
    assert may_authorise(place, staff("d"), staff("m"), fill) is None
    assert reason(may_authorise(place, staff("m"), staff("m"), fill)) is Refusal.SECOND_PERSON_NEEDED
    assert reason(may_authorise(place, staff("d"), staff("o"), fill)) is Refusal.NOT_STAFF
    assert reason(may_authorise(place, staff("d"), staff("l"), fill)) is Refusal.NOT_STAFF


def test_drop_box_is_counted_by_two_of_the_house_one_in_its_post() -> None:
    """Marina Bay Sands: an Assistant Casino Manager, or above."""
    place, count = scene("a"), cmd.CountDrop(inventory=1, count=())
    assert may_authorise(place, staff("a"), staff("o"), count) is None
    assert may_authorise(place, staff("o"), staff("g"), count) is None
    below = may_authorise(place, staff("o"), staff("s"), count)
    assert reason(below) is Refusal.NOT_AUTHORISED
    assert below is not None
    assert dict(below.params) == {"post": "@post.assistant-casino-manager"}
    assert reason(may_authorise(place, staff("a"), staff("a"), count)) is Refusal.SECOND_PERSON_NEEDED
    assert reason(may_authorise(place, staff("a"), staff("v"), count)) is Refusal.NOT_PERMITTED
    assert reason(may_authorise(replace(place, houses=()), staff("a"), staff("o"), count)) is (
        Refusal.NOT_PERMITTED
    )


# patrons


def test_a_patron_is_at_their_own_place() -> None:
    wager = cmd.PlaceWager(patron="Ann", wager="player", amount=1)
    assert bound_to(TERMINAL, wager, None) == replace(wager, position=3)
    assert bound_to(TERMINAL, replace(wager, position=3), None) == replace(wager, position=3)
    assert reason(bound_to(TERMINAL, replace(wager, position=4), None)) is Refusal.NOT_YOURS
    anywhere = replace(TERMINAL, position=None)
    assert bound_to(anywhere, replace(wager, position=4), None) == replace(wager, position=4)
    assert bound_to(staff("d"), replace(wager, position=4), None) == replace(wager, position=4)
    assert reason(bound_to(TERMINAL, replace(wager, patron="Bob"), None)) is Refusal.NOT_YOURS
    assert reason(bound_to(TERMINAL, cmd.CashOut(terminal="Bob", amount=1), None)) is Refusal.NOT_YOURS


def test_patrons_name_no_cards_nor_where_they_lie() -> None:
    for body in (
        cmd.DrawCard(card=ACE),
        cmd.ExposeCards(hand=Hand.PLAYER, cards=(ACE,)),
        cmd.DrawCard(card=None, hand=Hand.BANKER),
        cmd.DrawCard(card=None, together=(None,)),
        cmd.DrawCard(card=None, instead=True),
    ):
        assert reason(admit(scene("p"), TERMINAL, body).refused) is not None
        assert reason(admit(scene("d"), staff("d"), body).refused) is None


def test_at_a_virtual_shoe_only_the_shoe_names_cards() -> None:
    seal = Seal(root="", cards=416, behind_cutting_card=14, key_id="", content="")
    named = (
        cmd.LoadShoe(decks=8, seal=seal),
        cmd.DrawCard(card=ACE),
        cmd.BurnCards(first=ACE),
        cmd.ExposeCards(hand=Hand.PLAYER, cards=(ACE,)),
    )
    for body in named:
        assert reason(admit(scene("d", virtual=True), staff("d"), body).refused) is Refusal.NOT_PERMITTED
        assert reason(admit(scene("k", virtual=True), OfTable("T1"), body).refused) is None
        assert reason(admit(scene("d"), staff("d"), body).refused) is None
    assert reason(admit(scene("d", virtual=True), staff("d"), cmd.DrawCard(card=None)).refused) is None
    assert {type(body) for body in named} == {*FACES}
    together = cmd.DrawCard(card=None, together=(ACE,))
    assert reason(admit(scene("d", virtual=True), staff("d"), together).refused) is Refusal.NOT_PERMITTED
    for body in (cmd.LoadShoe(decks=8), cmd.BurnCards()):
        assert reason(admit(scene("m", virtual=True), staff("m"), body).refused) is Refusal.NOT_PERMITTED
        assert reason(admit(scene("m"), staff("m"), body).refused) is None


def test_names_under_which_things_are_recorded() -> None:
    assert name_of(staff("d")) == "d"
    assert name_of(TERMINAL) == "Ann"
    assert name_of(replace(TERMINAL, patron=None)) == "E1"
    assert name_of(OfTable("T1")) == "T1"
    assert name_of(Stranger()) == ""
    assert as_what(scene("z"), Stranger()) == set()


# the floor


FLOOR_COMMANDS = matrix("floor-commands.matrix")


def test_every_command_to_the_floor_is_in_the_matrix() -> None:
    kinds = typing.get_args(floor_cmd.FloorBody)
    assert [*FLOOR_COMMANDS] == [tag(kind) for kind in kinds] == [tag(type(b)) for b in floor_bodies("E1")]
    assert {*MAY_SEND_TO_FLOOR} == {*kinds}


@pytest.mark.parametrize("column", ["d", "m", "g", "t", "v", "u", "w", "q", "k", "z", "A"])
def test_every_command_to_the_floor_by_everybody(column: str) -> None:
    actor = ByAccount("A", tuple(Scope)) if column == "A" else ACTORS.get(column) or staff(column)
    found = {
        tag(type(body)): "." if refuse_to_floor(actor, body) else "x"
        for body in floor_bodies("E2" if column == "q" else "E1")
    }
    assert found == {name: row[column] for name, row in FLOOR_COMMANDS.items()}


# endpoints


ENDPOINTS = matrix("endpoints.matrix")


def test_every_endpoint_is_in_the_matrix() -> None:
    assert [*ENDPOINTS] == [endpoint.value for endpoint in Endpoint]
    assert {*MAY_CALL} == {*Endpoint}
    columns = {column for row in ENDPOINTS.values() for column in row}
    assert columns == {*ON_DUTY, *OFFICES, "z", "c", "y", "b", "f", "w", "p", "n", "k", *BY_SCOPE}


BY_SCOPE = {"T": "tables", "R": "records", "K": "credits", "C": "cards", "M": "metrics"}


@pytest.mark.parametrize(
    "column", ["z", "c", "y", "b", "f", "w", "p", "n", "k", *ON_DUTY, *OFFICES, *BY_SCOPE]
)
def test_every_endpoint_by_everybody(column: str) -> None:
    own: dict[str, Actor] = {
        **ACTORS,
        "c": Stranger(local=True),
        "y": Stranger(guest=True),
        "b": Stranger(monitor=True),
        "n": staff("n"),
        **{key: ByAccount(key, (Scope(scope),)) for key, scope in BY_SCOPE.items()},
    }
    actor = own.get(column) or staff(column)
    found = {each.value: "." if may_call(HOUSE_FORMS, actor, each) else "x" for each in Endpoint}
    assert found == {name: row[column] for name, row in ENDPOINTS.items()}


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ("z", Refusal.NOT_SIGNED_IN),
        ("f", Refusal.TERMINAL_DISABLED),
        ("p", Refusal.NOT_PERMITTED),
        ("d", Refusal.NOT_PERMITTED),
    ],
)
def test_an_endpoint_says_why_not(column: str, why: Refusal) -> None:
    actor = ACTORS.get(column) or staff(column)
    assert reason(may_call(HOUSE_FORMS, actor, Endpoint.AUDIT_RECORDS)) is why


@pytest.mark.parametrize(
    ("endpoint", "scopes"),
    [
        (Endpoint.TABLES, "tables"),
        (Endpoint.AUDIT_RECORDS, "records"),
        (Endpoint.RECEIPTS, "records, credits"),
        (Endpoint.METRICS, "metrics"),
    ],
)
def test_an_endpoint_names_the_scope_that_is_missing(endpoint: Endpoint, scopes: str) -> None:
    refused = may_call(HOUSE_FORMS, ByAccount("Door", (Scope.CARDS,)), endpoint)
    assert refused is not None
    assert refused.reason is Refusal.SCOPE_MISSING
    assert dict(refused.params) == {"name": "Door", "scopes": scopes}
    assert say(refused.message) == f"The service account Door lacks a scope for this. It needs: {scopes}."


def test_no_scope_opens_what_people_do() -> None:
    everything = ByAccount("All", tuple(Scope))
    for endpoint in (Endpoint.SIGN_IN, Endpoint.PEOPLE, Endpoint.ADD_ACCOUNT, Endpoint.FLOOR_COMMANDS):
        assert reason(may_call(HOUSE_FORMS, everything, endpoint)) is Refusal.NOT_FOR_ACCOUNTS
    assert reason(refuse_to_floor(everything, floor_cmd.Enable())) is Refusal.NOT_FOR_ACCOUNTS


def test_a_service_account_for_credits_says_what_it_lacks() -> None:
    sale = cmd.BuyCredits(terminal="Ann", amount=1)
    refused = admit(scene("d"), ACTORS["T"], sale).refused
    assert refused is not None
    assert dict(refused.params) == {"name": "T", "scopes": "credits"}
    assert reason(admit(scene("d"), ACTORS["K"], cmd.OpenBetting()).refused) is Refusal.NOT_FOR_ACCOUNTS
    assert name_of(ACTORS["K"]) == "K"


def with_account(place: PermissionContext) -> PermissionContext:
    """A floor with the account K, which m made with g."""
    account = ServiceAccount(
        name="K", scopes=(Scope.CREDITS,), token="t", since=NOW, ends=NOW + HOUR, by="m", second="g"
    )
    return replace(place, floor=replace(place.floor, accounts=(account,)))


def test_who_saw_the_secret_of_an_account_is_no_second_person_beside_it() -> None:
    place, sale = with_account(scene("d")), cmd.BuyCredits(terminal="Ann", amount=1)
    for maker in ("m", "g"):
        refused = may_authorise(place, ACTORS["K"], staff(maker), sale)
        assert reason(refused) is Refusal.SECOND_PERSON_NEEDED
        assert may_authorise(place, staff("d"), staff(maker), sale) is None
    assert may_authorise(place, ACTORS["K"], staff("s"), sale) is None
    one = with_account(scene("d"))
    alone = replace(one.floor.accounts[0], second=None)
    one = replace(one, floor=replace(one.floor, accounts=(alone,)))
    assert may_authorise(one, ACTORS["K"], staff("g"), sale) is None


def test_who_saw_the_secret_of_an_account_acknowledges_nothing_that_it_did() -> None:
    place = with_account(scene("d"))
    assert place.table is not None
    sold = UnseenMoney(1, MoneyAct.BUY_IN, "K", "s", "Ann", 100)
    own = UnseenMoney(2, MoneyAct.BUY_IN, "t", None, "Ann", 100)
    place = replace(place, table=replace(place.table, unseen=(sold, own)))
    seen = cmd.AcknowledgeAlert(sequence=1, act=1)
    assert reason(admit(place, staff("m"), seen).refused) is Refusal.SECOND_PERSON_NEEDED
    assert reason(admit(place, staff("g"), seen).refused) is Refusal.SECOND_PERSON_NEEDED
    assert admit(place, staff("a"), seen).refused is None
    assert admit(place, staff("m"), cmd.AcknowledgeAlert(sequence=1, act=2)).refused is None
    assert admit(place, staff("m"), cmd.AcknowledgeAlert(sequence=1)).refused is None


def test_who_saw_the_secret_of_an_account_stays_out_when_others_make_one_of_its_name_anew() -> None:
    place, sale = with_account(scene("d")), cmd.BuyCredits(terminal="Ann", amount=1)
    (first,) = place.floor.accounts
    old = replace(first, by="m", second="g", ended="lost")
    new = replace(first, by="a", second="s", token="anew")
    place = replace(place, floor=replace(place.floor, accounts=(old, new)))
    assert place.table is not None
    sold = UnseenMoney(1, MoneyAct.BUY_IN, "K", "s", "Ann", 100)
    place = replace(place, table=replace(place.table, unseen=(sold,)))
    seen = cmd.AcknowledgeAlert(sequence=1, act=1)
    for maker in ("m", "g", "a"):
        assert reason(admit(place, staff(maker), seen).refused) is Refusal.SECOND_PERSON_NEEDED
        refused = may_authorise(place, ACTORS["K"], staff(maker), sale)
        assert reason(refused) is Refusal.SECOND_PERSON_NEEDED


def test_somebody_in_two_posts_may_what_either_may() -> None:
    both = Staff("x", (Post("attendant"), Post("auditor")), "C1")
    assert may_call(HOUSE_FORMS, both, Endpoint.TABLE_COMMANDS) is None
    assert may_call(HOUSE_FORMS, both, Endpoint.AUDIT_RECORDS) is None
