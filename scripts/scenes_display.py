"""Scenes that everybody sees: the lobby, signing in, the display on the wall."""

from screens.browser import WIDTHS
from screens.dealing import felt
from screens.floors import GAMES

from scenes import PATIENT, Scene, Stage

TERMINAL = 'terminal = true\ndifferential = "1000000"\n'
PLAYED = {"tiger": 62, "tiger-nc": 41, "dragon-tiger": 55, "super-six": 23, "hoiana-tiger": 37}


def lobby(stage: Stage) -> None:
    """Tables in every state, with roads of rounds that were played."""
    for seed, (table, rounds) in enumerate(PLAYED.items(), start=3):
        stage.dealt(table).rounds(rounds, seed).table.do("open-betting")
    for place, name in ((1, "Mei"), (2, "Arun"), (4, "Sofia")):
        stage.patron("tiger", place, name).sit(buys=None)
    screen = stage.visit("/")
    screen.says("Tiger Baccarat")
    stage.take(screen, "lobby")
    stage.take(stage.visit("/", room="dim"), "lobby-dim")
    stage.take(stage.visit("/", size=WIDTHS["phone"], room="dim"), "lobby-phone")
    stage.take(stage.visit("/", size=WIDTHS["tablet"], language="zh-Hans"), "lobby-chinese")
    stage.take(stage.visit("/sign-in"), "sign-in")
    for room in ("dim", "light"):
        stage.take(stage.visit("/display?table=tiger", size=WIDTHS["wall"], room=room), f"display-{room}")
    stage.take(
        stage.visit("/display?table=dragon-tiger", size=WIDTHS["wall"], room="dim", language="zh-Hans"),
        "display-chinese",
    )


DISPLAY = (
    Scene(
        "lobby",
        "".join(felt(name, game, "" if name == "super-six" else TERMINAL, PATIENT) for name, game in GAMES.items()),
        lobby,
    ),
)
