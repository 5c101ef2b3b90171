"""Values of any stored type, made up by chance from what the type permits."""

import datetime
import random
import string
from collections.abc import Iterator
from typing import Any

from msgspec import inspect

LETTERS = string.ascii_letters + string.digits + ' "\\/\n\t\u00e9\u4e2d\U0001f0a1'
PATTERNS = {
    "^[0-9a-f]{64}$": lambda chance: chance.randbytes(32).hex(),
    "^(A|[2-9]|10|J|Q|K)[SHDC]$": lambda chance: chance.choice(("AS", "10H", "KC")),
    "^([A-Za-z0-9][A-Za-z0-9 .-]*)?$": lambda chance: chance.choice(("", "Pit 1", "A.b-c")),
}


def made_up(kind: type[Any], how_many: int) -> Iterator[Any]:
    """So many values of a type, always the same ones."""
    chance, info = random.Random(1), inspect.type_info(kind)
    for _ in range(how_many):
        yield _value(info, chance)


def _value(info: inspect.Type, chance: random.Random) -> Any:  # noqa: C901, PLR0911, PLR0912 - one for each kind
    match info:
        case inspect.StructType():
            given = {field.name: _value(field.type, chance) for field in info.fields}
            return info.cls(**given)
        case inspect.UnionType():
            return _value(chance.choice(info.types), chance)
        case inspect.EnumType():
            return chance.choice(list(info.cls))
        case inspect.LiteralType():
            return chance.choice(list(info.values))
        case inspect.VarTupleType():
            least = info.min_length or 0
            return tuple(_value(info.item_type, chance) for _ in range(least + chance.choice((0, 0, 1, 2))))
        case inspect.ListType():
            return [_value(info.item_type, chance) for _ in range(chance.choice((0, 1, 2)))]
        case inspect.TupleType():
            return tuple(_value(each, chance) for each in info.item_types)
        case inspect.DictType():
            pairs = range(chance.choice((0, 1, 2)))
            return {_value(info.key_type, chance): _value(info.value_type, chance) for _ in pairs}
        case inspect.Metadata():
            return _value(info.type, chance)
        case inspect.IntType():
            least = info.ge if info.ge is not None else -(2**53)
            most = info.le if info.le is not None else info.lt - 1 if info.lt is not None else 2**53
            step = info.multiple_of or 1
            return chance.randint(-(-least // step), most // step) * step
        case inspect.FloatType():
            return chance.choice((0.0, 0.1, 1.5, 1e22))
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.StrType(pattern=str() as pattern):
            return PATTERNS[pattern](chance)
        case inspect.StrType():
            return "".join(chance.choices(LETTERS, k=chance.randint(0, 8)))
        case inspect.BytesType():
            return chance.randbytes(info.min_length or chance.randint(0, 8))
        case inspect.DateType():
            return datetime.date(2025, 6, chance.randint(1, 30))
        case inspect.DateTimeType():
            zone = datetime.timezone(datetime.timedelta(hours=chance.choice((0, 8, -3))))
            moment = datetime.datetime(2025, 6, 2, 12, tzinfo=zone)
            return moment + datetime.timedelta(microseconds=chance.randint(0, 10**12))
        case inspect.NoneType():
            return None
        case _:
            raise TypeError(f"nothing is made up of {info}")
