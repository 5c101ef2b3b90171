"""The matrices of who may do what, as they were typed by hand, and a command of every kind to try them."""

import datetime
from pathlib import Path

from access.signing import SETUP
from msgspec import Struct

from thirdcard.cards import Card, Rank
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Secret, TableDefinition
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.planned import Stop, change_of
from thirdcard.game.state import Hand
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Post

HERE = Path(__file__).parent
NOW = datetime.datetime(2026, 6, 1, 20, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)


def matrix(file: str) -> dict[str, dict[str, str]]:
    """The cells of a matrix by row and column."""
    lines = [line.split() for line in (HERE / file).read_text("utf-8").splitlines() if line.strip()]
    head, *rows = [line for line in lines if line[0] != "#"]
    assert len({row[0] for row in rows}) == len(rows)
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}


def tag(kind: type[Struct]) -> str:
    """The stable name of a kind of command."""
    return str(kind.__struct_config__.tag)


def bodies(name: str, post: str, patron: str, acting: str = "Zed") -> tuple[cmd.Body, ...]:
    """One command of each kind, as somebody sends it about themselves or about a patron."""
    return (
        *_around_rounds(name, post, patron, acting),
        *_in_rounds(patron),
        *_in_disputes(patron),
        *_of_chips(patron),
    )


def _of_chips(patron: str) -> tuple[cmd.Body, ...]:
    return (
        cmd.CountOpener(count=()),
        cmd.FillChips(count=()),
        cmd.ReturnChips(count=()),
        cmd.BuyChips(patron=patron, amount=1),
        cmd.VoidSlip(slip=1, reason="x"),
        cmd.CountCloser(count=()),
        cmd.CountDrop(inventory=1, count=()),
    )


def _around_rounds(name: str, post: str, patron: str, acting: str) -> tuple[cmd.Body, ...]:
    return (
        cmd.SetUpTable(setup=SETUP),
        cmd.TickEquipment(item="x"),
        cmd.RecordConfirmation(reference="x", date=NOW.date()),
        cmd.OpenTable(),
        cmd.PauseTable(reason="x"),
        cmd.ResumeTable(),
        cmd.CloseTable(reason="x"),
        cmd.StopAfterRound(stop=Stop.CLOSE, reason="x"),
        cmd.CancelStop(),
        cmd.ChangeTable(change=change_of(SETUP)),
        cmd.ComeOnDuty(person=name, post=Post(post)),
        cmd.GoOffDuty(person=name),
        cmd.AppointActing(person=acting, post=Post("pit-supervisor"), start=NOW, end=NOW + HOUR),
        cmd.ComeToTable(patron=patron),
        cmd.LeaveTable(patron=patron),
        cmd.BuyCredits(terminal=patron, amount=1),
        cmd.CashOut(terminal=patron, amount=1),
        cmd.ConfirmCredits(id=1, agrees=True),
        cmd.ChangeMethod(method=Method.A),
        cmd.LimitOwners(most=1),
        cmd.LoadShoe(decks=8),
        cmd.CountCards(cards=416),
        cmd.OpenShoe(order=(), secret=""),
        cmd.CutCards(depth=1),
        cmd.BurnCards(),
        cmd.AnnounceLastHand(),
        cmd.TakeDevice(patron=patron),
        cmd.GiveUpDevice(patron=patron),
        cmd.PermitDrawing(patron=patron),
        cmd.PermitSqueeze(person=patron),
        cmd.ForbidSqueeze(patron=patron),
        cmd.RequestSqueeze(patron=patron),
    )


def _in_rounds(patron: str) -> tuple[cmd.Body, ...]:
    return (
        cmd.OpenBetting(),
        cmd.PlaceWager(patron=patron, wager="player", amount=1),
        cmd.ReduceWager(patron=patron, wager="player", amount=1),
        cmd.HoldMoney(patron=patron, wager="player"),
        cmd.DecideHeldMoney(id=1, choice="seize", found="x"),
        cmd.FindWager(reason="seen on the felt", patron=patron, wager="player", amount=1),
        cmd.CorrectWager(reason="seen on the felt", patron=patron, wager="player", amount=1),
        cmd.CloseBetting(),
        cmd.DealNow(patron=patron),
        cmd.AskToDecreaseWagers(),
        cmd.RemoveWager(patron=patron, wager="player", amount=1),
        cmd.DrawCard(card=None),
        cmd.SeeCuttingCard(),
        cmd.PassCards(hand=Hand.PLAYER, patron=patron),
        cmd.ChooseSqueezer(hand=Hand.PLAYER, patron=patron),
        cmd.DeclineCards(hand=Hand.PLAYER, patron=patron),
        cmd.ChooseRevealOrder(first=Hand.PLAYER),
        cmd.LookAtCards(hand=Hand.PLAYER, patron=patron),
        cmd.ExposeCards(hand=Hand.PLAYER),
        cmd.AnnounceTotals(player=7, banker=7),
        cmd.CallOutcome(winner=Winner.TIE),
        cmd.ReportDeviceResult(winner=Winner.TIE),
        cmd.DealFreeHand(),
        cmd.ReportIrregularity(situation=Situation.LATE_WAGER, patron=patron),
        cmd.ConfirmFacts(),
        cmd.DisproveFacts(found="x"),
        cmd.WithdrawReport(),
        cmd.CorrectCard(reason="seen on the felt", number=1, card=Card(Rank.ACE)),
        cmd.Rule(choice="x", patron=patron),
        cmd.AnswerOffer(patron=patron, withdraw=True),
        cmd.EndOffer(),
        cmd.ReserveCards(cards=()),
        cmd.EnterSortedCards(lacking=()),
        cmd.SubstituteCards(cards=()),
        cmd.ChooseCards(replace=True),
        cmd.AcknowledgeAlert(sequence=1),
        cmd.RaiseAlarm(kind=AlarmKind.MISREAD),
    )


def _in_disputes(patron: str) -> tuple[cmd.Body, ...]:
    dispute = 1 if patron == "Ann" else 2
    return (
        cmd.OpenDispute(patron=patron, about="x"),
        cmd.EscalateDispute(id=dispute),
        cmd.GatherInformation(id=dispute, what="x", given_by="x"),
        cmd.InformSurveillance(id=dispute),
        cmd.GiveTimeFrame(id=dispute, time_frame="x"),
        cmd.SayNoTimeFrame(id=dispute, why="x"),
        cmd.DecideDispute(id=dispute, decision="x", sources=()),
        cmd.AnswerDecision(id=dispute, agrees=True),
        cmd.InformInspector(id=dispute),
        cmd.PayAward(id=dispute, way=AwardWay.CREDITS),
        cmd.ConfirmReceipt(id=dispute),
        cmd.TellComplaintRight(id=dispute),
        cmd.FileComplaint(id=dispute, text="x", helper="x"),
        cmd.ReceiveComplaint(id=dispute),
        cmd.AnswerComplaint(id=dispute, answer="x"),
        cmd.CloseDispute(id=dispute),
    )


def floor_bodies(terminal: str, person: str = "d") -> tuple[floor_cmd.FloorBody, ...]:
    """One command of each kind to the floor, about a terminal and a person."""
    definition = TableDefinition(setup=SETUP)
    secret = Secret("k", b"")
    return (
        floor_cmd.AddPerson(name="New", posts=(), password=""),
        floor_cmd.ChangePosts(name=person, posts=()),
        floor_cmd.ChangePassword(name=person, password=""),
        floor_cmd.SetSecondFactor(name=person, second_factor=secret),
        floor_cmd.LockPerson(name=person, reason=""),
        floor_cmd.UnlockPerson(name=person),
        floor_cmd.SignIn(name=person, session="s", console="c"),
        floor_cmd.ShowIdentity(name=person, console="c"),
        floor_cmd.FailSignIn(name=person, console="c"),
        floor_cmd.EndSession(session="s", reason=""),
        floor_cmd.EnrolTerminal(terminal=terminal, table="T1", code="", code_ends=NOW),
        floor_cmd.ClaimTerminal(terminal=terminal, code="", token=""),
        floor_cmd.EnableTerminal(terminal=terminal),
        floor_cmd.DisableTerminal(terminal=terminal, reason=""),
        floor_cmd.OpenPatronSession(terminal=terminal, patron="Ann"),
        floor_cmd.ClosePatronSession(terminal=terminal),
        floor_cmd.ProposeTable(definition=definition),
        floor_cmd.ApproveProposal(id=1),
        floor_cmd.RejectProposal(id=1),
        floor_cmd.DefineTables(file="", digest="", tables=()),
        floor_cmd.BeginSigning(ends=()),
        floor_cmd.AcceptRestore(reason="", lost=(), kept=()),
        floor_cmd.AcceptShelf(files=()),
        floor_cmd.NoteClockStep(microseconds=1, run=""),
        floor_cmd.AcknowledgeClockStep(at=NOW, run=""),
        floor_cmd.Disable(reason=""),
        floor_cmd.Enable(),
        floor_cmd.AddAccount(name="Cage", scopes=(), token="", days=1),
        floor_cmd.RevokeAccount(name="Cage", reason=""),
        floor_cmd.AddWebhook(name="Desk", url="", scopes=(), secret=secret, after=()),
        floor_cmd.RemoveWebhook(name="Desk", reason=""),
        floor_cmd.StopWebhook(name="Desk", reason="", after=()),
        floor_cmd.ResumeWebhook(name="Desk"),
        floor_cmd.NoteDelivered(name="Desk", after=()),
    )
