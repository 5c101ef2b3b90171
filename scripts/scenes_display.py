"""Scenes that everybody sees: the lobby, signing in, the display on the wall."""

from screens.browser import WIDTHS
from screens.dealing import felt
from screens.floors import GAMES, table

from scenes import PATIENT, Scene, Stage

TERMINAL = 'terminal = true\ndifferential = "1000000"\n'
BRISK = "{ betting = 30, warning = 5, card = 0.02, between = 0.1, offer = 2 }"
PLAYED = {"fast": 12, "tiger": 44, "tiger-nc": 31, "dragon-tiger": 38, "super-six": 17, "hoiana-tiger": 26}
ROUNDS = 70  # on the wall
STANDING = (1080, 1920)


def lobby(stage: Stage) -> None:
    """Tables in every state, with roads of rounds that were played."""
    at = {
        name: stage.dealt(name).rounds(rounds, seed) for seed, (name, rounds) in enumerate(PLAYED.items(), 3)
    }
    for shoe in at.values():
        shoe.table.do("open-betting")
    for place, name in ((1, "Mei"), (2, "Arun"), (4, "Sofia")):
        stage.patron("tiger", place, name).sit(buys=None)
    at["dragon-tiger"].table.do("close-betting")
    at["hoiana-tiger"].table.do("pause-table", reason="a question")
    screen = stage.visit("/")
    screen.button("Start the tour").wait_for()
    stage.take(screen, "lobby")
    stage.take(stage.visit("/", size=WIDTHS["phone"], room="dim"), "lobby-phone")
    stage.take(stage.visit("/", size=WIDTHS["tablet"], room="dim", language="zh-Hans"), "lobby-chinese")
    stage.take(stage.visit("/sign-in"), "sign-in")


def wall(stage: Stage) -> None:
    """A display over a table that has played for a while, and shows how its last round ended."""
    stage.patron("tiger", 2, "Mei").sit(buys=None)
    dealer = stage.behind("dealer").on_duty("tiger")
    rooms = {"display": "dim", "display-light": "light"}
    walls = {
        name: stage.visit("/display?table=tiger", size=WIDTHS["wall"], room=room)
        for name, room in rooms.items()
    }
    for _ in range(ROUNDS):
        dealer.screen.until(lambda: dealer.phase("tiger")["phase"] == "betting")
        dealer.closes("tiger")
    dealer.screen.until(lambda: dealer.phase("tiger")["phase"] == "betting")
    for name, screen in walls.items():
        stage.take(screen, name)
    stage.take(stage.visit("/display?table=tiger", size=STANDING, room="dim"), "display-standing")
    walls["display"].context.set_offline(True)
    walls["display"].says("No connection")
    stage.take(walls["display"], "display-lost")


DISPLAY: tuple[Scene, ...] = (
    Scene(
        "lobby",
        "".join(
            felt(name, game, "" if name == "super-six" else TERMINAL, PATIENT)
            for name, game in {"fast": GAMES["tiger"], **GAMES}.items()
        )
        + felt("felt-tiger", GAMES["tiger"], timers=PATIENT),
        lobby,
    ),
    Scene(
        "display",
        table("tiger", GAMES["tiger"], BRISK, 'differential = "1000000"\nnext_marks = true\n'),
        wall,
    ),
)
