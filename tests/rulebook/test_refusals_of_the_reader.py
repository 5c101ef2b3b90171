"""Every refusal of a rulebook: a shipped file with one edit, and the complete message that a person reads."""

import importlib.resources
from pathlib import Path
from typing import NamedTuple

import pytest

from thirdcard.messages import sentences
from thirdcard.rulebook.complaints import about_form
from thirdcard.rulebook.read import UnreadableFile, parse_document, read_document

# raised where a rulebook meets its house or its odds, not by the reader
RAISED_ELSEWHERE = {"patron-edge", "missing-post", "order-of-posts"}
# test_own_shelf.py
ABOUT_SHELVES = {"no-shelf", "id-of-package", "id-taken", "two-shelves"}
# test_refusals_of_house_files.py and test_former_house_files.py
ABOUT_HOUSES = {
    "unknown-language",
    "missing-procedure",
    "exponent-out-of-range",
    "amount-out-of-range",
    "minimum-above-maximum",
    "wager-of-no-game",
    "unknown-rulebook",
    "unknown-layout",
    "former-key",
    "no-drawing",
    "unknown-source",
    "no-such-control",
    "not-of-this-control",
    "large-needs-post",
    "chips-too-coarse",
}
ABOUT_FLOORS = {
    "unknown-game",
    "unknown-house",
    "table-name",
    "table-refused",
    "training-only",
    "time-out-of-range",
    "no-betting-time",
    "no-pause",
    "cutting-card-out-of-range",
    "pit-name",
    "day-refused",
}  # tests/clockwork/test_floor_file.py

LADDER = "dealer, pit-supervisor, pit-manager, assistant-casino-manager, gaming-shift-manager"


class Damage(NamedTuple):
    """One edit of a shipped file, the problem that it makes and the message about it."""

    problem: str
    file: str
    before: str
    after: str
    message: str


def tiger(problem: str, before: str, after: str, message: str) -> Damage:
    return Damage(problem, "mbs-tiger-v3.toml", before, after, message)


def dragon(problem: str, before: str, after: str, message: str) -> Damage:
    return Damage(problem, "mbs-dragon-tiger-nc-2023.toml", before, after, message)


FREE_HANDS = (
    ("face-up-card 2", "7.5"),
    ("exposed-in-movement", "7.5"),
    ("next-card-known", "7.5"),
    ("unauthorised-player-card 1", "7.6"),
    ("unauthorised-player-card 2", "7.6"),
    ("unauthorised-banker-card 1", "7.7"),
    ("wrong-delivery 1", "7.10"),
)


def hoiana(problem: str, before: str, after: str, message: str) -> Damage:
    return Damage(problem, "hoiana-tiger-2024.toml", before, after, message)


KEYS = "Correct its spelling or remove it; docs/writing-a-rulebook.md lists the keys."
VALUES = "Use one of the values listed in docs/writing-a-rulebook.md."
MISSING = "Correct it there; perhaps a quote, a bracket or an equals sign is missing."
BY_WHAT = (
    "irregularity[unshuffled-cards 1] (clause 5.1): "
    "New cards come by a clause, or, where they must always come and no clause "
    "says so, by a procedure of the house. Write clause or procedure, and both only where a set is to be "
    "found whole."
)
WRITE_IT = "Write it as docs/writing-a-rulebook.md says."
CITE = "Cite a clause of the list [clauses], or add the clause there if the document has it."
LADDERS = "Use one of these, or add the post to the ladder."
NO_TIE = "mbs-tiger-v3 has no wager tie. Perhaps tiger is meant."
NARROW = "Narrow one of them; pay rows may instead be read in order with ordered = true."
CALLS = "Use a key from the [call] section of languages/en.toml."

FORM = {
    "a line that is not TOML": tiger(
        "not-toml",
        'house = "marina-bay-sands"',
        'house = "marina-bay-sands',
        f"file: This is not TOML at line 13, column 26. {MISSING}",
    ),
    "a file that breaks off": tiger(
        "not-toml",
        "least = 4",
        "least = 4\nnever = [",
        f"file: This is not TOML at line 33, column 1. {MISSING}",
    ),
    "a table that stands twice": tiger(
        "toml-twice",
        "[limits]",
        "[decks]",
        "file: A key or a table that was there before stands once more at line 197, column 7. "
        "Keep one of the two.",
    ),
    "an unknown key of the whole file": tiger(
        "unknown-key", "format = 5", "format = 5\ncolour = 2", f"file: There is no key colour here. {KEYS}"
    ),
    "an unknown key in a row": tiger(
        "unknown-key",
        'odds = "12 to 1"',
        'odds = "12 to 1", colour = 2',
        f"wager[tiger].pays[0] (clause 4.3.T1): There is no key colour here. {KEYS}",
    ),
    "an unknown key of a wager": tiger(
        "unknown-key",
        'id = "tie"',
        'id = "tie"\ncolour = 2',
        f"wager[tie] (clause 2.2.3): There is no key colour here. {KEYS}",
    ),
    "an unknown key of a clause": tiger(
        "unknown-key",
        '"2.1" = { kind',
        '"2.1" = { colour = 2, kind',
        f"clauses.2.1: There is no key colour here. {KEYS}",
    ),
    "an unknown fact": tiger(
        "unknown-fact",
        'when = { winner = "player" }',
        'when = { victor = "player" }',
        "wager[player].pays[0].when (clause 4.1.T2): victor is not a fact that can be asked about. "
        "Use one of the facts listed in docs/writing-a-rulebook.md.",
    ),
    "an unknown circumstance": tiger(
        "unknown-circumstance",
        'when = { stage = "between-rounds" }',
        'when = { moment = "between-rounds" }',
        "irregularity[foreign-card 2].when (clause 5.1): "
        "moment is not a circumstance that can be asked about. "
        "Use one of the circumstances listed in docs/writing-a-rulebook.md.",
    ),
    "an unknown effect": tiger(
        "unknown-effect",
        'do = "refuse-wager"',
        'do = "seize-wager"',
        "irregularity[late-wager].effects[0].do (clause 5.4): "
        "'seize-wager' is not an effect that the engine has. "
        "Use one of the effects listed in docs/writing-a-rulebook.md.",
    ),
    "a missing key of the whole file": tiger(
        "missing-key", 'game = "tiger"\n', "", "file: The key game is missing. Add it."
    ),
    "a missing key of an effect": tiger(
        "missing-key",
        'do = "determine-card-order", by = "pit-manager", ',
        'do = "determine-card-order", ',
        "irregularity[cards-together 3].effects[0] (clause 5.8.2.2): The key by is missing. Add it.",
    ),
    "a value of another type": tiger(
        "wrong-type",
        "most = 10",
        'most = "10"',
        "decks.most (clause 2.1): Expected a whole number, got text. Write a value of the expected kind.",
    ),
    "a value of another type in a named entry": dragon(
        "wrong-type",
        'small-tiger = "小虎"',
        "small-tiger = 9",
        "layouts.layout[J].labels.zh-Hans.small-tiger (clause App.J): Expected text, got a whole number. "
        "Write a value of the expected kind.",
    ),
    "an unknown situation": tiger(
        "wrong-value",
        'situation = "late-wager"',
        'situation = "fire"',
        "irregularity[fire].situation (clause 5.4): "
        f"The value 'fire' is not one that is carried out. {VALUES}",
    ),
    "an unknown kind of clause": tiger(
        "wrong-value",
        '"2.1" = { kind = "equipment"',
        '"2.1" = { kind = "furniture"',
        f"clauses.2.1.kind: The value 'furniture' is not one that is carried out. {VALUES}",
    ),
    "a later format": tiger(
        "wrong-value",
        "format = 5",
        "format = 6",
        f"format: The value 6 is not one that is carried out. {VALUES}",
    ),
    "a text that is no instant": tiger(
        "no-instant",
        "in_force = 2022-03-09T00:00:00+08:00",
        'in_force = "9 March 2022"',
        "in_force: This is no date with time and offset. Write it like 2026-01-01T00:00:00+08:00.",
    ),
    "a point total above nine": tiger(
        "too-high",
        'winner = "tie", player_total = 6',
        'winner = "tie", player_total = 16',
        "wager[tiger-tie].pays[0].when.player_total (clause 4.3.T5): "
        f"The number must be at most 9. {WRITE_IT}",
    ),
    "no owner for a playing area": tiger(
        "too-low",
        "owners_per_area = { most = 3",
        "owners_per_area = { most = 0",
        f"limits.owners_per_area.most (clause 3.7): The number must be at least 1. {WRITE_IT}",
    ),
    "a wager that loses by no clause": tiger(
        "too-few",
        'lost = ["1.1.12"]',
        "lost = []",
        "wager[tie].lost (clause 2.2.3): The list must have at least 1. Add what belongs there.",
    ),
    "odds as a number": tiger(
        "odds-no-text",
        'odds = "0.95 to 1"',
        "odds = 0.95",
        'wager[banker].pays[0].odds (clause 4.1.T1): Odds must be text such as "0.95 to 1", '
        "not a decimal number, which is not exact. Put them in quotes, as printed.",
    ),
}

MEANING = {
    "odds that are not exact": tiger(
        "odds-not-exact",
        'odds = "12 to 1"',
        'odds = "about 12 to 1"',
        'wager[tiger].pays[0].odds (clause 4.3.T1): "about 12 to 1" are not exact odds. '
        'Write them as printed, for example "12 to 1" or "0.95 to 1".',
    ),
    "gross odds that are not exact": tiger(
        "odds-not-exact",
        'of = "1 to 1"',
        'of = "@evens"',
        'wager[banker].pays[0].commission.of (clause 4.1.T1): "@evens" are not exact odds. '
        'Write them as printed, for example "12 to 1" or "0.95 to 1".',
    ),
    "a clause that the document lacks": tiger(
        "unknown-clause",
        'clause = "4.3.T1"',
        'clause = "4.3.T9"',
        f"wager[tiger].pays[0].clause (clause 4.3.T9): The document has no clause 4.3.T9. {CITE}",
    ),
    "a clause of a method that the document lacks": tiger(
        "unknown-clause",
        'drawn_clause = "3.12.1"',
        'drawn_clause = "3.12.99"',
        f"methods.method[C].drawn_clause (clause 3.12.99): The document has no clause 3.12.99. {CITE}",
    ),
    "a clause both shown and not modelled": tiger(
        "shown-and-not-modelled",
        'of Tiger Pair.", shown = "heading"',
        'of Tiger Pair.", shown = "heading", not_modelled = "heading"',
        "clauses.4.2 (clause 4.2): The clause is both shown and not modelled. Keep one of the two.",
    ),
    "an instant without time zone": tiger(
        "no-time-zone",
        "in_force = 2022-03-09T00:00:00+08:00",
        "in_force = 2022-03-09T00:00:00",
        "in_force (clause Front.1): The instant has no time zone. "
        "Write it with an offset, for example 2024-10-01T00:00:00+07:00.",
    ),
    "more decks than a shoe holds": tiger(
        "decks-out-of-range",
        "most = 10",
        "most = 21",
        "decks (clause 2.1): The numbers of decks are out of range. "
        "Give least, usual and most with 1 <= least <= usual <= most <= 20.",
    ),
    "a layout with fewer positions at most than at least": tiger(
        "positions-out-of-range",
        "least = 8\nmost = 16",
        "least = 16\nmost = 8",
        "layouts.layout[E] (clause App.E): The numbers of positions are out of range. "
        "Give least and most with 1 <= least <= most.",
    ),
    "a layout of an unknown variant": hoiana(
        "unknown-variant",
        'variant = "non-commission"\nclause = "App.A.1"',
        'variant = "half-commission"\nclause = "App.A.1"',
        "layouts.layout[1] (clause App.A.1): There is no variant half-commission. "
        "Name a [[variant]] of this file.",
    ),
    "a row of playing areas with an unknown wager": tiger(
        "unknown-wager",
        'rows = [\n  ["tiger-pair", "small-tiger"',
        'rows = [\n  ["tiger-pairs", "small-tiger"',
        "layouts.rows: mbs-tiger-v3 has no wager tiger-pairs. Perhaps tiger-pair is meant.",
    ),
    "a playing area that is drawn twice": tiger(
        "twice",
        'narrow_rows = [\n  ["small-tiger", "tiger", "big-tiger"]',
        'narrow_rows = [\n  ["small-tiger", "tiger", "tiger"]',
        "layouts.narrow_rows[tiger]: tiger stands here 2 times. Keep one.",
    ),
    "a pay row of an unknown variant": tiger(
        "unknown-variant",
        'odds = "1 to 1", clause = "4.1.T2"',
        'odds = "1 to 1", clause = "4.1.T2", variant = "fast"',
        "wager[player].pays[0] (clause 4.1.T2): There is no variant fast. Name a [[variant]] of this file.",
    ),
    "a wager that stands twice": tiger(
        "twice",
        'id = "tie"',
        'id = "banker"',
        "wager[banker]: banker stands here 2 times. Keep one.\n"
        + "\n".join(f"mbs-tiger-v3.toml: layouts.{rows}: {NO_TIE}" for rows in ("rows", "narrow_rows")),
    ),
    "a post that stands twice": tiger(
        "twice",
        'posts = ["dealer", ',
        'posts = ["dealer", "dealer", ',
        "authority.posts: dealer stands here 2 times. Keep one.",
    ),
    "an unknown call": tiger(
        "unknown-call",
        'calls = ["call.no-more-bets"]',
        'calls = ["call.no-wagers"]',
        f"round.closing.calls (clause 3.2): There is no call call.no-wagers in the language files. {CALLS}",
    ),
    "a sentence that is no call": tiger(
        "unknown-call",
        'calls = ["call.place-your-bets"]',
        'calls = ["outcome.tie"]',
        f"round.opening.calls (clause 3.1): There is no call outcome.tie in the language files. {CALLS}",
    ),
    "an unknown post of an effect": tiger(
        "unknown-post",
        'do = "determine-card-order", by = "pit-manager"',
        'do = "determine-card-order", by = "boss"',
        "irregularity[cards-together 3].effects[0].by (clause 5.8.2.2): "
        f"boss is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "an unknown post that must be present": tiger(
        "unknown-post",
        'in_presence_of = "gaming-shift-manager"',
        'in_presence_of = "inspector"',
        "irregularity[patron-left-with-cards 2].effects[0].in_presence_of (clause 5.11.1): "
        f"inspector is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "an unknown post of a power": tiger(
        "unknown-post",
        'not_covered = { post = "gaming-shift-manager"',
        'not_covered = { post = "owner"',
        f"authority.not_covered.post (clause 6.1): owner is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "an irregularity without effects": tiger(
        "no-effects",
        'effects = [{ do = "refuse-wager", clause = "5.4" }]',
        "effects = []",
        "irregularity[late-wager] (clause 5.4): "
        "The row for late-wager has no effects. Say what happens, or remove "
        "the row: what has no row is referred to the post for what is not covered.",
    ),
    "an irregularity that can never happen": tiger(
        "never-holds",
        'when = { stage = "between-rounds" }',
        "when = { stage = [] }",
        "\nmbs-tiger-v3.toml: ".join(
            f"irregularity[{row} 2] (clause 5.1): "
            "The row can never hold. Correct its conditions or remove it."
            for row in ("foreign-card", "extra-card", "missing-card")
        ),
    ),
    "two irregularities at once": tiger(
        "rows-overlap",
        'when = { seen = true }\nclause = "5.7.1"',
        'clause = "5.7.1"',
        "irregularity[wrong-delivery 2] (clause 5.7.1): "
        "For wrong-delivery this row and irregularity[wrong-delivery 1] can both hold. "
        f"{NARROW}",
    ),
    "a reading of a setting that no house has": tiger(
        "unknown-setting",
        'setting = "settings.both_hands"',
        'setting = "settings.dress_code"',
        "reading[AMB-11] (clause 3.5): No house file has the setting settings.dress_code. "
        "Name a key of the house file, or leave the reading fixed without one.",
    ),
    "a setting for a reading that the rule fixes": tiger(
        "setting-without-house",
        'source = "house"\nsetting = "settings.both_hands"',
        'source = "rule"\nsetting = "settings.both_hands"',
        "reading[AMB-11] (clause 3.5): A reading has a setting exactly when its source is the house. "
        "Add or remove the setting, or correct the source.",
    ),
    "a reading of the house without setting or clause": tiger(
        "setting-without-house",
        'source = "house"\nsetting = "dispute"',
        'source = "house"',
        "reading[AMB-68]: A reading has a setting exactly when its source is the house. "
        "Add or remove the setting, or correct the source.",
    ),
    "a row that rests on an unknown reading": tiger(
        "unknown-reading",
        'readings = ["AMB-14"]',
        'readings = ["AMB-99"]',
        "irregularity[late-wager] (clause 5.4): "
        "The row rests on the reading AMB-99, which the file does not have. "
        "Add the [[reading]] or correct its id.",
    ),
    "a total of the Player hand decided twice": tiger(
        "draw-twice",
        '{ total = [6, 7], step = "stands", clause = "3.15.T3" }',
        '{ total = [5, 6, 7], step = "stands", clause = "3.15.T3" }',
        "table_of_play (clause 3.15.T3): Two rows decide the same case: player 5. "
        "Remove the case from one of them.",
    ),
    "a natural of the Player hand that also stands": tiger(
        "draw-twice",
        '{ total = [6, 7], step = "stands", clause = "3.15.T3" }',
        '{ total = [6, 7, 8], step = "stands", clause = "3.15.T3" }',
        "table_of_play (clause 3.15.T3): Two rows decide the same case: player 8. "
        "Remove the case from one of them.",
    ),
    "a natural of the Banker hand named twice": tiger(
        "draw-twice",
        '{ hand = "banker", total = [8, 9], clause = "3.15.T1" }',
        '{ hand = "banker", total = [8, 9, 9], clause = "3.15.T1" }',
        "table_of_play (clause 3.15.T1): Two rows decide the same case: banker 9. "
        "Remove the case from one of them.",
    ),
    "a third card decided twice": tiger(
        "draw-twice",
        "player_third = [6, 7]",
        "player_third = [5, 6, 7]",
        "table_of_play (clause 3.15.T8): Two rows decide the same case: banker 6, third card 5. "
        "Remove the case from one of them.",
    ),
    "a natural of the Banker hand that also stands": tiger(
        "draw-twice",
        '{ total = [6, 7], player_third = "none"',
        '{ total = [6, 7, 8], player_third = "none"',
        "table_of_play (clause 3.15.T10): Two rows decide the same case: banker 8, player stood. "
        "Remove the case from one of them.",
    ),
    "a third card that no row decides": tiger(
        "draw-hole",
        "player_third = [6, 7]",
        "player_third = [6]",
        "table_of_play (clause 3.15): No row decides this case: banker 6, third card 7. Add it to a row.",
    ),
    "a total of the Player hand that no row decides": tiger(
        "draw-hole",
        '{ total = [6, 7], step = "stands", clause = "3.15.T3" }',
        '{ total = [6], step = "stands", clause = "3.15.T3" }',
        "table_of_play (clause 3.15): No row decides this case: player 7. Add it to a row.",
    ),
    "a Banker hand that wins on nothing": tiger(
        "never-holds",
        'banker_total = 6, banker_cards = 2 }, odds = "12 to 1"',
        'banker_total = 0, banker_cards = 2 }, odds = "12 to 1"',
        "wager[tiger].pays[0] (clause 4.3.T1): The row can never hold. Correct its conditions or remove it.",
    ),
    "a Player hand that wins with seven over nine": dragon(
        "never-holds",
        "banker_total = 6, third_cards = 2",
        "banker_total = 9, third_cards = 2",
        "wager[dragon-tiger].pays[0] (clause 4.2.T1): The row can never hold. "
        "Correct its conditions or remove it.",
    ),
    "a tie of totals that differ": tiger(
        "never-holds",
        'when = { winner = "tie" }, clauses',
        'when = { winner = "tie", player_total = 3, banker_total = 4 }, clauses',
        "wager[player].stands_off[0] (clause 3.16.1): The row can never hold. "
        "Correct its conditions or remove it.",
    ),
    "an ordered row in the shadow of an earlier one": tiger(
        "never-holds",
        'won = ["1.1.14", "3.14"]',
        'ordered = true\nstands_off = [{ when = {}, clauses = ["3.14"] }]\nwon = ["1.1.14", "3.14"]',
        "wager[tiger-pair].pays[0] (clause 4.2.T1): The row can never hold. "
        "Correct its conditions or remove it.\n"
        "mbs-tiger-v3.toml: wager[tiger-pair].pays[1] (clause 4.2.T2): The row can never hold. "
        "Correct its conditions or remove it.\n"
        "mbs-tiger-v3.toml: wager[tiger-pair].pays[2] (clause 4.2.T3): The row can never hold. "
        "Correct its conditions or remove it.",
    ),
    "two pay rows at once": tiger(
        "rows-overlap",
        'banker_total = 6, banker_cards = 2 }, odds = "12 to 1"',
        'banker_total = 6 }, odds = "12 to 1"',
        "wager[tiger].pays[1] (clause 4.3.T2): For tiger this row and wager[tiger].pays[0] can both hold. "
        f"{NARROW}",
    ),
    "a stand-off that was copied": tiger(
        "rows-overlap",
        'stands_off = [{ when = { winner = "tie" }, clauses = ["3.16.1"] }]',
        'stands_off = [{ when = { winner = "tie" }, clauses = ["3.16.1"] }, '
        '{ when = { winner = "tie" }, clauses = ["3.16.1"] }]',
        "wager[player].stands_off[1] (clause 3.16.1): "
        f"For player this row and wager[player].stands_off[0] can both hold. {NARROW}",
    ),
    "a pay row of one variant that overlaps in the other": hoiana(
        "rows-overlap",
        'odds = "1 to 1", clause = "5.1.2.T3", variant = "non-commission"',
        'odds = "1 to 1", clause = "5.1.2.T3"',
        "wager[player].pays[1] (clause 5.1.2.T3): "
        f"For player this row and wager[player].pays[0] can both hold. {NARROW}",
    ),
}

ACCOUNT = "Cite it where it takes effect, or give it shown or not_modelled with a reason."
WHOLE = {
    "a clause that no section rests on": tiger(
        "clause-unaccounted",
        'clause = "Front.1"\napproval = "Front.2"',
        'clause = "Front.2"\napproval = "Front.2"',
        "clauses.Front.1 (clause Front.1): No section rests on this clause, and it is neither shown nor "
        f"marked as not modelled. {ACCOUNT}",
    ),
    "an empty reason for a patron edge": tiger(
        "empty-reason",
        'id = "tie"\n',
        'id = "tie"\nallow_patron_edge = " "\n',
        "wager[tie].allow_patron_edge (clause 2.2.3): The reason is empty. "
        "Say why the house offers this wager, or remove the key.",
    ),
    "a wager that never pays": tiger(
        "no-pay-row",
        'pays = [{ when = { winner = "tie" }, odds = "8 to 1", clause = "4.1.T3" }]',
        "pays = []",
        "wager[tie] (clause 2.2.3): The wager tie never pays (variant: -). Add a row to its pays.",
    ),
    "a wager that never pays in one variant": hoiana(
        "no-pay-row",
        'odds = "1 to 1", clause = "5.1.2.T3", variant = "non-commission"',
        'odds = "1 to 1", clause = "5.1.2.T3", variant = "commission"',
        "wager[player] (clause 2.1.2.2): The wager player never pays (variant: non-commission). "
        "Add a row to its pays.\n"
        "hoiana-tiger-2024.toml: wager[player].pays[1] (clause 5.1.2.T3): For player this row and "
        f"wager[player].pays[0] can both hold. {NARROW}",
    ),
    "a commission that adds": tiger(
        "commission-below-odds",
        'commission = { of = "1 to 1"',
        'commission = { of = "0.9 to 1"',
        "wager[banker].pays[0].commission.of (clause 4.1.T1): The odds before commission are lower than the "
        "odds paid. Write in commission.of what would be paid without commission.",
    ),
    "a free hand that nobody defines": hoiana(
        "free-hand-not-defined",
        '[free_hand]\nmeaning = "2.2.6"\nwagers_removed = "7.8"\ncards = "7.8"\nas_last_hand = "7.8.1"\n',
        "",
        "\nhoiana-tiger-2024.toml: ".join(
            f"irregularity[{row}] (clause {clause}): The row can bring a free hand, but nothing says how "
            "one is dealt. Add a [free_hand] section."
            for row, clause in FREE_HANDS
        ),
    ),
    "new cards by nothing": tiger(
        "new-cards-by-what",
        '{ do = "replace-cards", need = "shall", procedure = "new-cards" }',
        '{ do = "replace-cards", need = "shall" }',
        BY_WHAT,
    ),
    "new cards by a clause and by the house": tiger(
        "new-cards-by-what",
        '{ do = "replace-cards", need = "shall", procedure = "new-cards" }',
        '{ do = "replace-cards", need = "shall", clause = "2.1", procedure = "new-cards" }',
        BY_WHAT,
    ),
    "new cards that the house lets come": tiger(
        "new-cards-by-what",
        '{ do = "replace-cards", need = "shall", procedure = "new-cards" }',
        '{ do = "replace-cards", need = "may", procedure = "new-cards" }',
        BY_WHAT,
    ),
    "a pair that nobody defines": tiger(
        "pairs-not-defined",
        '[pairs]\nrule = "house"\nclauses = ["1.1.14"]\n',
        "",
        "\nmbs-tiger-v3.toml: ".join(
            f"wager[tiger-pair].pays[{index}].when (clause 4.2.T{index + 1}): The row asks about pairs, but "
            "nothing says when two cards are a pair. Add a [pairs] section."
            for index in range(3)
        ),
    ),
    "an id with a blank": tiger(
        "id-not-plain",
        'id = "mbs-tiger-v3"',
        'id = "mbs tiger"',
        'id: "mbs tiger" is no plain id. Use small letters and digits, with single hyphens between words.',
    ),
    "a digest that is none": tiger(
        "no-digest",
        'sha256 = "836b71b40c4b3c2b',
        'sha256 = "none',
        "document.sha256: This is no sha256 digest. "
        "Write the 64 hexadecimal digits of the document's digest.",
    ),
}
DAMAGES = FORM | MEANING | WHOLE


def damaged(damage: Damage) -> bytes:
    """The shipped file with one edit."""
    text = importlib.resources.files("thirdcard").joinpath("rulebooks", damage.file).read_text("utf-8")
    assert damage.before in text
    return text.replace(damage.before, damage.after, 1).encode()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_rulebook_is_refused_with_file_key_clause_and_remedy(damage: Damage) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse_document(damage.file, damaged(damage))
    assert str(refusal.value) == f"{damage.file}: {damage.message}"
    assert refusal.value.problems[0].what.key == f"problem.{damage.problem}.what"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "gone.toml"
    with pytest.raises(UnreadableFile) as refusal:
        read_document(missing)
    assert str(refusal.value) == (
        f"gone.toml: {missing}: The file cannot be read: No such file or directory. "
        "Check the path and its permissions."
    )


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse_document("own.toml", b'id = "\xff"')
    assert str(refusal.value) == ("own.toml: file: This is not text in UTF-8. Save it as such.")


def test_a_text_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse_document("own.toml", b"a = " + b"[" * 50_000)
    assert str(refusal.value).startswith("own.toml: file: This is nested too deeply to be read. ")


def test_a_text_that_breaks_off_is_refused_at_its_end() -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse_document("own.toml", b'a = "b')
    assert str(refusal.value) == f"own.toml: file: This is not TOML at the end of the file. {MISSING}"


def test_a_complaint_that_nobody_knows_is_still_told_in_our_words() -> None:
    assert about_form("Flux capacitor not charged") == ("does-not-fit", {})
    assert about_form("Expected `int | flux`, got `null`") == (
        "wrong-type",
        {"expected": "a whole number or flux", "got": "nothing"},
    )


def test_every_problem_that_the_reader_can_have_with_a_rulebook_has_its_damaged_file() -> None:
    told = {key.split(".")[1] for key in sentences("en") if key.startswith("problem.")}
    exercised = {damage.problem for damage in DAMAGES.values()} | {
        "no-file",
        "not-utf-8",
        "too-deep",
        "does-not-fit",
    }
    assert exercised == told - RAISED_ELSEWHERE - ABOUT_HOUSES - ABOUT_FLOORS - ABOUT_SHELVES


def test_all_problems_of_a_file_are_told_at_once() -> None:
    both = damaged(MEANING["more decks than a shoe holds"]).replace(b'"AMB-14"]', b'"AMB-99"]', 1)
    with pytest.raises(UnreadableFile) as refusal:
        parse_document("own.toml", both)
    assert str(refusal.value) == (
        "own.toml: decks (clause 2.1): The numbers of decks are out of range. "
        "Give least, usual and most with 1 <= least <= usual <= most <= 20.\n"
        "own.toml: irregularity[late-wager] (clause 5.4): The row rests on the reading AMB-99, "
        "which the file does not have. Add the [[reading]] or correct its id."
    )


def test_pay_rows_that_overlap_may_be_read_in_order() -> None:
    rows = damaged(MEANING["two pay rows at once"])
    overlapping = rows.replace(b"banker_total = 6 }", b"banker_total = 6, player_total = 5 }")
    with pytest.raises(UnreadableFile, match=r"this row and wager\[tiger\]\.pays\[0\] can both hold"):
        parse_document("own.toml", overlapping)
    document = parse_document("own.toml", overlapping.replace(b'"Tiger"\n', b'"Tiger"\nordered = true\n'))
    assert [wager.id for wager in document.wagers if wager.ordered] == ["tiger"]
