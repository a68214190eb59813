"""The reference back end: shaders as numpy operations over rows of lanes."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

from ...glsl.ir.program import Shader
from ..backend import DEFAULT_INSTRUCTION_LIMIT, Backend, FloatArray, Result, SampleFunction
from ..memory import ShaderMemory
from ..paths import LanePaths, PathTable
from .flow import execute
from .plan import Plan, make_plan
from .registers import Registers, check_arguments

__all__ = ["NumpyBackend"]

T = TypeVar("T")
SMALL_LANES, SMALL_FILES = 2048, 32
"""Small register files are kept for many numbers of lanes: creating one costs more than filling it."""


class NumpyBackend(Backend):
    """Runs shaders with numpy. Keeps plans and register files, so each thread needs its own back end."""

    name = "numpy"
    limit = 256
    """Number of plans, and kernels, to keep."""

    def __init__(self) -> None:
        self._entries: dict[tuple[Hashable, int], tuple[Shader, Any]] = {}

    def run(
        self,
        shader: Shader,
        inputs: FloatArray,
        constants: FloatArray,
        sample: SampleFunction,
        record_paths: PathTable | None = None,
        instruction_limit: int = DEFAULT_INSTRUCTION_LIMIT,
        memory: ShaderMemory | None = None,
    ) -> Result:
        """Run a shader; see :class:`~tilegpu.functional.execute.backend.Backend`."""
        inputs = np.ascontiguousarray(inputs, np.float32)
        constants = np.ascontiguousarray(constants, np.float32)
        check_arguments(shader, inputs, constants)
        lanes = inputs.shape[2]
        plan, files = self._kept("plan", shader, lambda: (self.make_plan(shader), dict[int, Registers]()))
        registers = self._registers(plan, files, lanes)
        registers.begin(inputs, constants, sample, instruction_limit)
        registers.memory = memory or ShaderMemory()
        if record_paths is not None and not record_paths.straight:
            registers.paths = LanePaths(record_paths, lanes)
        with np.errstate(all="ignore"):
            execute(plan.items, registers, None, None)
        only = None if record_paths is None else np.zeros(lanes, np.uint32)
        paths = only if registers.paths is None else registers.paths.numbers()
        return Result(registers.outputs, registers.killed, paths)

    def make_plan(self, shader: Shader) -> Plan:
        """Translate a shader."""
        return make_plan(shader)

    def _kept(self, what: Hashable, shader: Shader, make: Callable[[], T]) -> T:
        """Operations and tables that are made once from a shader."""
        # The entry holds the shader, so its id stays taken.
        entry = self._entries.get((what, id(shader)))
        if entry is None:
            if len(self._entries) >= self.limit:
                self._entries.pop(next(iter(self._entries)))
            entry = self._entries[what, id(shader)] = shader, make()
        made: T = entry[1]
        return made

    def _registers(self, plan: Plan, files: dict[int, Registers], lanes: int) -> Registers:
        registers = files.get(lanes)
        if registers is None:
            small = lanes <= SMALL_LANES
            same_kind = [n for n in files if (n <= SMALL_LANES) == small]
            if len(same_kind) >= (SMALL_FILES if small else 2):
                files.pop(same_kind[0])
            registers = files[lanes] = Registers(plan.layout, lanes)
        return registers
