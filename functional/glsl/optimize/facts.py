"""Conditions that are known inside branches on the same conditions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..ssa import Operand, is_constant
from ..ssa.identities import INVERSE


class Facts:
    """The conditions that are known to be true or false at the place where code is being rebuilt."""

    def __init__(self) -> None:
        self._truth: dict[tuple[Any, ...], bool] = {}

    def __bool__(self) -> bool:
        return bool(self._truth)

    def outcome(self, condition: Operand) -> bool | None:
        """Value of the condition; None if it is unknown."""
        if condition.value.op == "IMM":
            return not is_constant(condition, 0)
        for key, inverted in _keys(condition):
            if key in self._truth:
                return self._truth[key] != inverted
        return None

    @contextmanager
    def where(self, condition: Operand, holds: bool) -> Iterator[None]:
        """The condition has this value inside the block."""
        before = dict(self._truth)
        self._add(condition, holds)
        yield
        self._truth = before

    def _add(self, condition: Operand, holds: bool) -> None:
        value, component = condition.value, condition.swizzle[0]
        key, inverted = next(iter(_keys(condition)))
        self._truth[key] = holds != inverted
        if value.op == "NOT":
            self._add(_component(value.args[0], component), not holds)
        elif (value.op, holds) in (("AND", True), ("OR", False)):
            for operand in value.args:
                self._add(_component(operand, component), holds)


def _component(operand: Operand, component: int) -> Operand:
    return operand._replace(swizzle=(operand.swizzle[component],))


def _keys(condition: Operand) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """Equivalent forms of the condition, each with whether it is negated."""
    value, component = condition.value, condition.swizzle[0]
    inverse = INVERSE.get(value.op)
    if inverse is None:
        yield (value, component), False
        return
    args = tuple(_component(operand, component) for operand in value.args)
    yield (value.op, args), False
    yield (inverse, args), True
