"""Register components as rows: the place of each one while a shader runs.

Every component is a float32 row of all lanes, or a row of length 1 if it is the same in all of them: numpy
broadcasts the latter for free. Temporaries have a row of either kind; the plan determines which one holds the
value.
"""

from dataclasses import dataclass, field

from ...glsl.ir.program import File, Shader

SCRATCH = 10
"""Rows for intermediate results: four for a whole result, three for operands, three for sums."""


@dataclass(slots=True)
class Layout:
    """Row numbers.

    Rows begin with temporaries, address registers and scratch, each once per lane ("wide") and then all of
    them again with length 1 ("uniform"); constants, immediates, inputs and outputs follow as they are used.
    """

    shader: Shader
    wide: int = 0
    rows: int = 0
    inputs: dict[int, tuple[int, int]] = field(default_factory=dict)
    outputs: dict[int, tuple[int, int]] = field(default_factory=dict)
    constants: dict[int, tuple[int, int]] = field(default_factory=dict)
    immediates: dict[int, tuple[int, int]] = field(default_factory=dict)
    _numbers: dict[tuple[File, int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wide = 4 * self.shader.temporary_count + 4 + SCRATCH
        self.rows = 2 * self.wide

    def temporary(self, index: int, component: int, uniform: bool) -> int:
        """Row of a temporary's component."""
        return 4 * index + component + (self.wide if uniform else 0)

    def address(self, component: int, uniform: bool) -> int:
        """Row of an address register's component."""
        return 4 * self.shader.temporary_count + component + (self.wide if uniform else 0)

    def scratch(self, number: int, uniform: bool) -> int:
        """Row of an intermediate result."""
        return 4 * self.shader.temporary_count + 4 + number + (self.wide if uniform else 0)

    def outside(self, file: File, index: int, component: int) -> int:
        """Row of an input, output, constant or immediate."""
        key = (file, index, component)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self.rows
            self.rows += 1
            table = {
                File.INPUT: self.inputs,
                File.OUTPUT: self.outputs,
                File.CONSTANT: self.constants,
                File.IMMEDIATE: self.immediates,
            }[file]
            table[number] = (index, component)
        return number
