"""Register components as rows: the place of each one while a shader runs.

Every component is a float32 row of all lanes, or a row of length 1 if it is the same in all of them: numpy
broadcasts the latter for free. Temporaries have a row of either kind; the plan determines which one holds the
value.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...glsl.ir.program import File, Instruction, Shader

SCRATCH = 10
"""Rows for intermediate results: four for a whole result, four for operands, two for sums."""


class Key(NamedTuple):
    """A component of a register."""

    file: File
    register: int
    component: int


def registers_written(instructions: Sequence[Instruction]) -> dict[Key, None]:
    """Components that instructions write, in order."""
    destinations = [i.destination for i in instructions if i.destination is not None]
    return {Key(d.file, d.index, c): None for d in destinations for c in d.components}


@dataclass(slots=True)
class Layout:
    """Row numbers.

    Rows begin with temporaries, address registers and scratch, each once per lane ("wide") and then all of
    them again with length 1 ("uniform"); constants, immediates, inputs and outputs follow as they are used.
    """

    shader: Shader
    wide: int = 0
    rows: int = 0
    outside: dict[File, dict[tuple[int, int], int]] = field(default_factory=lambda: {file: {} for file in File})

    def __post_init__(self) -> None:
        self.wide = 4 * self.shader.temporary_count + 4 + SCRATCH
        self.rows = 2 * self.wide

    def temporary(self, index: int, component: int, uniform: bool) -> int:
        """Row of a temporary's component."""
        return 4 * index + component + (self.wide if uniform else 0)

    def address(self, component: int, uniform: bool) -> int:
        """Row of an address register's component."""
        return self.temporary(self.shader.temporary_count, component, uniform)

    def scratch(self, number: int, uniform: bool) -> int:
        """Row of an intermediate result."""
        return self.temporary(self.shader.temporary_count + 1, number, uniform)

    def place(self, file: File, index: int, component: int) -> int:
        """Row of an input, output, constant or immediate."""
        rows = self.outside[file]
        if (index, component) not in rows:
            rows[index, component] = self.rows
            self.rows += 1
        return rows[index, component]
