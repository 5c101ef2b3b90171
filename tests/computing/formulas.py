"""The formulas of a workbook, worked out from its numbers alone.

The tokens are those of openpyxl's reader; each becomes a piece of Python over arrays. The values that were
written beside the formulas are never looked at.
"""

import re
from typing import Any

import numpy as np
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token
from openpyxl.utils import range_boundaries
from openpyxl.workbook import Workbook

Value = Any


class FormulaSheet:
    """A workbook that is read for its formulas."""

    def __init__(self, workbook: Workbook) -> None:
        self.workbook = workbook
        self.formulas = 0

    def value(self, sheet: str, cell: str) -> Value:
        """Return the value of a cell; a formula is worked out."""
        written = self.workbook[sheet][cell].value
        if not (isinstance(written, str) and written.startswith("=")):
            return written
        self.formulas += 1
        pieces = [self._piece(token, sheet) for token in Tokenizer(written).items]
        return eval("".join(pieces), {"cells": self._cells, "np": np, **FUNCTIONS})

    def _piece(self, token: Token, sheet: str) -> str:
        match token.type, token.subtype:
            case Token.OPERAND, Token.RANGE:
                named, _, where = token.value.rpartition("!")
                return f"cells({(named.strip(chr(39)) or sheet)!r}, {where.replace('$', '')!r})"
            case Token.OPERAND, _:
                return str(token.value)
            case Token.OP_IN, _:
                return {"^": "**", "=": "==", "<>": "!="}.get(str(token.value), str(token.value))
            case Token.FUNC, Token.OPEN:
                return f"{token.value[:-1]}_("
            case _:
                return str(token.value)

    def _cells(self, sheet: str, where: str) -> Value:
        if ":" not in where:
            return self.value(sheet, where)
        left, top, right, bottom = range_boundaries(where)
        assert left == right, "a column"
        letters = re.match("[A-Z]+", where)
        assert letters
        assert top is not None
        assert bottom is not None
        return np.array([self.value(sheet, f"{letters[0]}{row}") for row in range(top, bottom + 1)])


def sum_of_those_that_meet(numbers: Value, *criteria: Value) -> float:
    """Add the numbers where every column meets its criterion."""
    meets = np.ones(len(numbers), bool)
    for column, criterion in zip(criteria[::2], criteria[1::2], strict=True):
        meets &= column > float(criterion[1:]) if str(criterion).startswith(">") else column == criterion
    return float(numbers[meets].sum())


FUNCTIONS = {
    "SUMIFS_": sum_of_those_that_meet,
    "SUM_": np.sum,
    "SUMPRODUCT_": np.sum,
    "SQRT_": np.sqrt,
}
