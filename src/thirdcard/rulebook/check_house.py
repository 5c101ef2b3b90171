"""The checks of a house file once it has the right form."""

import math
from collections import Counter
from collections.abc import Iterator

from thirdcard.messages import knows
from thirdcard.money import parse_amount
from thirdcard.rulebook.check import Problem, problem, unknown
from thirdcard.rulebook.house import (
    CHIP_PROCEDURES,
    MAY_ASK_PATRON,
    MAY_BE_LARGE,
    MAY_HAVE_AMOUNT,
    MAY_NEED_REASON,
    PROCEDURES,
    HouseForm,
    MoneyAct,
    MoneyControl,
    WagerLimits,
)

_MOST_PLACES = 4


def check_house(file: str, house: HouseForm) -> tuple[Problem, ...]:
    """Everything wrong with a house file that has the right form."""
    found: list[Problem] = []
    deciding = ("facts_confirmed_by", "new_cards_decided_by", "not_covered_decided_by")
    for key in (*deciding, "alarms_acknowledged_by"):
        found += _house_post(file, house, key, getattr(house, key))
    for procedure in house.procedures:
        found += _house_post(file, house, f"procedure[{procedure.id}].post", procedure.post)
    found += _house_dispute(file, house)
    found += [
        problem("missing-procedure", file, "procedure", procedure=name)
        for name in (*PROCEDURES, *(CHIP_PROCEDURES if house.chips else ()))
        if name not in {each.id for each in house.procedures}
    ]
    named = {
        "posts": house.posts,
        "procedure": tuple(each.id for each in house.procedures),
        "control": tuple(each.act.value for each in house.controls),
        "chips.values": house.chips.values if house.chips else (),
        "chips.notes": house.chips.notes if house.chips else (),
    }
    for name, ids in named.items():
        found += [
            problem("twice", file, f"{name}[{entry}]", name=entry, times=times)
            for entry, times in Counter(ids).items()
            if times > 1
        ]
    for layout in house.layouts:
        if not 1 <= layout.least <= layout.most:
            found.append(problem("positions-out-of-range", file, f"layout[{layout.id}]"))
        if not layout.drawing.strip():
            found.append(problem("no-drawing", file, f"layout[{layout.id}].drawing"))
    for language in house.languages:
        if not knows("language.name", language):
            found.append(problem("unknown-language", file, "languages", language=language))
    if not 0 <= house.currency.exponent <= _MOST_PLACES:
        return (*found, problem("exponent-out-of-range", file, "currency.exponent", most=_MOST_PLACES))
    unit = parse_amount(house.rounding.smallest_unit, house.currency)
    if unit is None or unit <= 0:
        params = {"amount": house.rounding.smallest_unit}
        return (*found, problem("amount-out-of-range", file, "rounding.smallest_unit", **params))
    return (*found, *_limits(file, house, unit), *_controls(file, house), *_chips(file, house, unit))


def _controls(file: str, house: HouseForm) -> Iterator[Problem]:
    """Yield the problems of controls: posts and amounts that are none, and keys that an act lacks."""
    for control in house.controls:
        key = f"control[{control.act.value}]"
        yield from _house_post(file, house, f"{key}.post", control.post)
        if control.act is MoneyAct.RULING:
            yield problem("no-such-control", file, key)
        if parse_amount(control.above, house.currency) is None:
            yield problem("amount-out-of-range", file, f"{key}.above", amount=control.above)
        yield from _large(file, house, key, control)
        given = {
            "above": (control.above != "0", MAY_HAVE_AMOUNT),
            "large": (control.large is not None, MAY_BE_LARGE),
            "reason": (control.reason, MAY_NEED_REASON),
            "patron": (control.patron, MAY_ASK_PATRON),
        }
        for name, (is_given, acts) in given.items():
            if is_given and control.act not in acts:
                yield problem("not-of-this-control", file, f"{key}.{name}", acts=", ".join(acts))


def _large(file: str, house: HouseForm, key: str, control: MoneyControl) -> Iterator[Problem]:
    """Yield the problems of a large amount: none that can be, or no post for it."""
    if (control.large is None) is not (control.large_post is None):
        yield problem("large-needs-post", file, key)
    if control.large is not None and parse_amount(control.large, house.currency) is None:
        yield problem("amount-out-of-range", file, f"{key}.large", amount=control.large)
    if control.large_post is not None:
        yield from _house_post(file, house, f"{key}.large_post", control.large_post)


def _chips(file: str, house: HouseForm, unit: int) -> Iterator[Problem]:
    """Yield the values of chips and notes that nothing can have, and chips that cannot pay every amount."""
    chips = house.chips
    if chips is None:
        return
    for name, values in (("values", chips.values), ("notes", chips.notes)):
        for each in values:
            minor = parse_amount(each, house.currency)
            if minor is None or minor <= 0:
                yield problem("amount-out-of-range", file, f"chips.{name}", amount=each)
    smallest = math.gcd(*(parse_amount(each, house.currency) or 0 for each in chips.values))
    if smallest and unit % smallest:
        yield problem("chips-too-coarse", file, "chips.values", unit=house.rounding.smallest_unit)


def _house_post(file: str, house: HouseForm, key: str, post: str) -> Iterator[Problem]:
    if post not in house.posts:
        params = {"post": post, "posts": ", ".join(house.posts)}
        yield unknown("unknown-post", file, key, word=post, choices=house.posts, **params)


def _house_dispute(file: str, house: HouseForm) -> Iterator[Problem]:
    """Yield the problems of the dispute procedure: posts that are none, sources without a name or twice."""
    dispute = house.dispute
    if dispute is None:
        return
    for post in (*dispute.first_level, dispute.in_charge, dispute.complaints_to):
        yield from _house_post(file, house, "dispute", post)
    for source, times in Counter(each.id for each in dispute.sources).items():
        if times > 1:
            yield problem("twice", file, f"dispute.source[{source}]", name=source, times=times)
        if not knows(f"dispute.{source}"):
            yield problem("unknown-source", file, f"dispute.source[{source}]", source=source)


def _limits(file: str, house: HouseForm, unit: int) -> Iterator[Problem]:
    limits: dict[str, WagerLimits] = {"limits.main": house.limits.main, "limits.side": house.limits.side}
    limits |= {f"limits.wager.{wager}": limit for wager, limit in house.limits.wager.items()}
    amounts = {"limits.differential": house.limits.differential}
    for key, limit in limits.items():
        amounts |= {f"{key}.minimum": limit.minimum, f"{key}.maximum": limit.maximum}
    minor = {key: parse_amount(text, house.currency) for key, text in amounts.items()}
    for key, amount in minor.items():
        if amount is None or amount <= 0 or amount % unit:
            yield problem("amount-out-of-range", file, key, amount=amounts[key])
    for key in limits:
        least, most = minor[f"{key}.minimum"], minor[f"{key}.maximum"]
        if least is not None and most is not None and least > most:
            yield problem("minimum-above-maximum", file, key)
