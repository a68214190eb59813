"""The register file of a run."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ExecutionError
from ...glsl.ir.program import File, Shader
from ..backend import SampleFunction
from ..memory import ShaderMemory
from ..paths import LanePaths
from .layout import Layout

Mask = NDArray[np.bool_] | None


class Registers:
    """Rows of one plan for one number of lanes, reused from run to run.

    Attributes
    ----------
    floats, ints : list of arrays
        The same rows as float32 and as int32.
    mask : bool array or None
        Lanes that execute; None if all do.
    """

    def __init__(self, layout: Layout, lanes: int) -> None:
        self.layout = layout
        self.lanes = lanes
        self.block = np.zeros((layout.wide, lanes), np.float32)
        uniform = np.zeros((layout.wide, 1), np.float32)
        spare = np.zeros(1, np.float32)
        self.floats: list[NDArray[np.float32]] = [*self.block, *uniform]
        self.floats += [spare] * (layout.rows - len(self.floats))
        for (index, component), row in layout.outside[File.IMMEDIATE].items():
            bits = layout.shader.immediates[index][component]
            self.floats[row] = np.array([bits], np.uint32).view(np.float32)
        self.ints: list[NDArray[np.int32]] = [row.view(np.int32) for row in self.floats]
        self.lane_numbers = np.arange(lanes)
        self.diverges = any(i.opcode in ("UIF", "BGNLOOP") for i in layout.shader.instructions)
        self.mask: Mask = None
        self.killed: NDArray[np.bool_] | None = None
        self.executed = 0
        self.limit = 0
        self.paths: LanePaths | None = None
        self.memory = ShaderMemory()
        self.sample: SampleFunction
        self.inputs: NDArray[np.float32]
        self.outputs: NDArray[np.float32]
        self.constants: NDArray[np.float32] = np.zeros((0, 4), np.float32)

    def begin(
        self, inputs: NDArray[np.float32], constants: NDArray[np.float32], sample: SampleFunction, limit: int
    ) -> None:
        """Prepare a run: bind everything that comes from outside."""
        shader, layout = self.layout.shader, self.layout
        self.outputs = np.zeros((len(shader.outputs), 4, self.lanes), np.float32)
        self._bind(layout.outside[File.INPUT], inputs)
        self._bind(layout.outside[File.OUTPUT], self.outputs)
        # The same constant file, changed in place, is already bound.
        if constants is not self.constants:
            self._bind(layout.outside[File.CONSTANT], constants[..., None])
        self.inputs, self.constants, self.sample, self.limit = inputs, constants, sample, limit
        if self.diverges:
            # Derivatives also read lanes that skip a branch, which must not expose values of an earlier run.
            self.block.fill(0)
        self.mask, self.executed, self.paths = None, 0, None
        self.killed = np.zeros(self.lanes, np.bool_) if shader.discards else None

    def _bind(self, rows: dict[tuple[int, int], int], values: NDArray[np.float32]) -> None:
        """Make rows of components of an array (registers, 4, n)."""
        bits = values.view(np.int32)
        for place, row in rows.items():
            self.floats[row] = values[place]
            self.ints[row] = bits[place]

    def count(self, instructions: int) -> None:
        """Note executed instructions."""
        self.executed += instructions
        if self.executed > self.limit:
            name = self.layout.shader.name
            message = f"{name}: more than {self.limit} instructions executed; does a loop never end?"
            raise ExecutionError(message)


def check_arguments(shader: Shader, inputs: NDArray[Any], constants: NDArray[Any]) -> None:
    """Reject arrays that do not match the shader."""
    if inputs.ndim != 3 or inputs.shape[:2] != (len(shader.inputs), 4):
        raise ValueError(f"{shader.name}: inputs have shape {inputs.shape}, not ({len(shader.inputs)}, 4, n)")
    if constants.shape[0] < shader.constant_count or constants.ndim != 2 or constants.shape[1] != 4:
        expected = (shader.constant_count, 4)
        raise ValueError(f"{shader.name}: constants have shape {constants.shape}, not {expected}")
