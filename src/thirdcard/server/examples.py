"""Examples of what is sent to a server and of what it answers, for its descriptions."""

from typing import Any

from thirdcard import __version__
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal, refuse
from thirdcard.rulebook.irregularity import Situation
from thirdcard.staff import Post
from thirdcard.training.led_session import TableKind
from thirdcard.views.questions import ToldFacts
from thirdcard.wire import answers, exercises, forms, frames, led_training, training
from thirdcard.wire.refusals import RefusedMessage, refused_message

PASSWORD, NEW_PASSWORD = "marble-otter-canyon-violin-47", "copper-lantern-willow-ferry-12"
PIT_MANAGER = forms.Credentials(name="Max", password=PASSWORD, code="492039")
SHIFT_MANAGER = forms.Credentials(name="Gil", password=PASSWORD, code="118822")
COMMAND_ID = "5f0c6a9d2b1e4c7f"
NOW = 1_795_111_200_000_000  # 2026-11-19 18:00 UTC

# under the words that say what each does
EXAMPLES: dict[type, dict[str, Any]] = {
    forms.SignInForm: {"sign in": forms.SignInForm(credentials=PIT_MANAGER, console="back office")},
    forms.NewPasswordForm: {
        "another password": forms.NewPasswordForm(credentials=PIT_MANAGER, new=NEW_PASSWORD)
    },
    forms.TableCommandForm: {
        "come to the table": forms.TableCommandForm(
            command_id="come-0001", command=cmd.ComeToTable(patron="Ann")
        ),
        "buy credits at a training table": forms.TableCommandForm(
            command_id="credits-0001", command=cmd.BuyCredits(terminal="Ann", amount=100_000)
        ),
        "place a wager": forms.TableCommandForm(
            command_id=COMMAND_ID, command=cmd.PlaceWager(patron="Ann", wager="player", amount=10_000)
        ),
        "have cards dealt at once": forms.TableCommandForm(
            command_id="deal-0001", command=cmd.DealNow(patron="Ann")
        ),
    },
    ToldFacts: {"a misdeal": ToldFacts(situation=Situation.MISDEAL)},
    forms.FloorCommandForm: {
        "a patron sits down at a terminal": forms.FloorCommandForm(
            command_id="sit-0001", command=floor_cmd.OpenPatronSession(terminal="fast-1", patron="Ann")
        ),
        "let patrons use a terminal": forms.FloorCommandForm(
            command_id="enable-0001", command=floor_cmd.EnableTerminal(terminal="fast-1")
        ),
    },
    forms.PersonForm: {
        "a new dealer": forms.PersonForm(
            name="Dana", posts=(Post("dealer"),), password=NEW_PASSWORD, authoriser=SHIFT_MANAGER
        )
    },
    forms.ResetPasswordForm: {
        "a forgotten password": forms.ResetPasswordForm(password=NEW_PASSWORD, authoriser=SHIFT_MANAGER)
    },
    forms.RenewFactorForm: {"a lost telephone": forms.RenewFactorForm(authoriser=SHIFT_MANAGER)},
    forms.WebhookForm: {
        "what an auditor sees": forms.WebhookForm(
            name="Alarm desk",
            url="https://desk.example/thirdcard",
            scopes=(Scope.TABLES, Scope.RECORDS),
            authoriser=SHIFT_MANAGER,
        )
    },
    forms.AccountForm: {
        "an account for Prometheus": forms.AccountForm(
            name="Prometheus", scopes=(Scope.METRICS,), days=90, authoriser=SHIFT_MANAGER
        )
    },
    forms.EnrolForm: {
        "a new terminal": forms.EnrolForm(terminal="fast-1", table="fast", authoriser=SHIFT_MANAGER)
    },
    forms.ClaimForm: {"the code of a terminal": forms.ClaimForm(code="7K2M-9QXD")},
    training.BeginDrillForm: {
        "a drill of a dealer": training.BeginDrillForm(
            drill="cards/another-back", game="mbs-tiger-v3", post="dealer"
        )
    },
    training.DrillCommandForm: {
        "a card of another set": training.DrillCommandForm(
            command_id="drill-0001", command=cmd.ReportIrregularity(situation=Situation.FOREIGN_CARD)
        )
    },
    exercises.BeginFaultForm: {
        "a late chip": exercises.BeginFaultForm(game="mbs-tiger-v3", post="dealer", what="late-chip", seed=17)
    },
    exercises.BeginExerciseForm: {
        "ten rounds": exercises.BeginExerciseForm(game="mbs-tiger-v3", rounds=10, seed=17)
    },
    exercises.AnswerForm: {"a third card": exercises.AnswerForm(question=1, answer="banker")},
    exercises.GoOnForm: {"the next question": exercises.GoOnForm(question=1)},
    led_training.OpenTrainerTableForm: {
        "a table where patrons handle the cards": led_training.OpenTrainerTableForm(
            game="mbs-tiger-v3", kind=TableKind.BY_PATRONS
        )
    },
    led_training.StrikeForm: {
        "a late chip": led_training.StrikeForm(fault="late-chip", words="The patron says: I always do that.")
    },
    training.CallPostForm: {"a Pit Manager": training.CallPostForm(post="pit-manager")},
    forms.VerifyForm: {"chain and signatures": forms.VerifyForm(chain_only=True)},
    forms.DemoSeatForm: {"a seat at the table fast": forms.DemoSeatForm(terminal="fast-1")},
    forms.DemoResumeForm: {"a held table": forms.DemoResumeForm(table="fast")},
    answers.Me: {
        "a terminal with its patron": answers.Me(
            kind="terminal", name="fast-1", table="fast", patron="Ann", now=NOW, version=__version__
        )
    },
    answers.AcceptedAnswer: {
        "recorded": answers.AcceptedAnswer(command_id="come-0001", sequence=17),
    },
    RefusedMessage: {
        "too small a stake": refused_message(refuse(Refusal.UNDER_MINIMUM, wager="Player", least="SGD 50.00"))
    },
    frames.Watch: {"from where one was": frames.Watch(table="fast", after=17)},
    frames.SendCommand: {
        "place a wager": frames.SendCommand(
            table="fast",
            command_id=COMMAND_ID,
            command=cmd.PlaceWager(patron="Ann", wager="player", amount=10_000),
        )
    },
    frames.Hello: {
        "a terminal": frames.Hello(
            me=answers.Me(kind="terminal", name="fast-1", table="fast", now=NOW, version=__version__)
        )
    },
    frames.Pong: {"the time": frames.Pong(now=NOW)},
    frames.Ended: {"the server goes and comes back": frames.Ended(reason="stopping", again=True)},
}
