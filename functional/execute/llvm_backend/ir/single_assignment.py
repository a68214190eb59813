"""Variables of code with branches and loops as values, so that none has to be in memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .vectors import Value


@dataclass(frozen=True)
class Place:
    """The end of a block, and the variables' values there."""

    block: Any
    values: dict[Hashable, Value]


@dataclass
class Variables:
    """The values of variables where a builder's code goes.

    One that is set on only one of two ways to a place has no value there.
    """

    builder: Any
    values: dict[Hashable, Value] = field(default_factory=dict)

    def __getitem__(self, name: Hashable) -> Value:
        return self.values[name]

    def __setitem__(self, name: Hashable, value: Value) -> None:
        self.values[name] = value

    def get(self, name: Hashable) -> Value:
        """The value; None if there is none."""
        return self.values.get(name)

    def restore(self, name: Hashable, value: Value) -> None:
        """Set to what `get` returned before."""
        self.values.pop(name, None)
        if value is not None:
            self.values[name] = value

    def place(self) -> Place:
        """The builder's place."""
        return Place(self.builder.block, dict(self.values))

    def join(self, block: Any, other: Place) -> None:
        """Go on in a block that control enters from here and from another place."""
        here = self._enter(block)
        self.values = {name: value for name, value in here.values.items() if name in other.values}
        for name, value in self.values.items():
            if value is not other.values[name]:
                self.values[name] = phi = self.builder.phi(value.type)
                phi.add_incoming(value, here.block)
                phi.add_incoming(other.values[name], other.block)

    def begin_loop(self, head: Any, changed: Iterable[Hashable]) -> dict[Hashable, Value]:
        """Go on in the head of a loop that changes some variables; what `repeat` needs."""
        here, carried = self._enter(head), {}
        for name in changed:
            if name in here.values:
                self.values[name] = carried[name] = self.builder.phi(here.values[name].type)
                carried[name].add_incoming(here.values[name], here.block)
        return carried

    def repeat(self, carried: dict[Hashable, Value]) -> None:
        """Let control get from here to the head of a loop; the caller emits the jump."""
        for name, phi in carried.items():
            phi.add_incoming(self.values[name], self.builder.block)

    def _enter(self, block: Any) -> Place:
        """Jump to a block and go on there; where the jump is."""
        here = self.place()
        self.builder.branch(block)
        self.builder.position_at_end(block)
        return here
