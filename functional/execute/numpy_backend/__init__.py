"""The reference back end: shaders as numpy operations over rows of lanes."""

import numpy as np

from ...glsl.ir.program import Shader
from ..backend import DEFAULT_INSTRUCTION_LIMIT, FloatArray, Kernel, Result, SampleFunction, VertexKernel
from ..kernel_arguments import BlendState
from ..paths import LanePaths, PathTable
from .flow import execute
from .plan import Plan, make_plan
from .registers import Registers, check_arguments

__all__ = ["NumpyBackend"]

NO_KERNELS = "the numpy back end has no kernels"
SMALL_LANES, SMALL_FILES = 2048, 32
"""Small register files are kept for many numbers of lanes: creating one costs more than filling it."""


class NumpyBackend:
    """Runs shaders with numpy. Keeps plans and register files, so each thread needs its own back end.

    Parameters
    ----------
    plans : int
        Number of shaders to keep plans for.
    """

    name = "numpy"

    def __init__(self, plans: int = 256) -> None:
        self._limit = plans
        self._plans: dict[int, tuple[Plan, dict[int, Registers]]] = {}

    def run(
        self,
        shader: Shader,
        inputs: FloatArray,
        constants: FloatArray,
        sample: SampleFunction,
        record_paths: PathTable | None = None,
        instruction_limit: int = DEFAULT_INSTRUCTION_LIMIT,
    ) -> Result:
        """Run a shader; see :class:`~tilegpu.functional.execute.backend.Backend`."""
        inputs = np.ascontiguousarray(inputs, np.float32)
        constants = np.ascontiguousarray(constants, np.float32)
        check_arguments(shader, inputs, constants)
        lanes = inputs.shape[2]
        plan, files = self._planned(shader)
        straight = record_paths is None or record_paths.straight
        if plan.whole is not None and straight and plan.whole.instructions <= instruction_limit:
            outputs = np.zeros((len(shader.outputs), 4, lanes), np.float32)
            plan.whole.run(inputs, outputs, constants)
            return Result(outputs, None, None if record_paths is None else np.zeros(lanes, np.uint32))
        registers = self._registers(plan, files, lanes)
        registers.begin(inputs, constants, sample, instruction_limit)
        if record_paths is not None and not record_paths.straight:
            registers.paths = LanePaths(record_paths, lanes)
        with np.errstate(all="ignore"):
            execute(plan.items, registers, None, None)
        paths = None
        if registers.paths is not None:
            paths = registers.paths.numbers()
        elif record_paths is not None:
            paths = np.zeros(lanes, np.uint32)
        return Result(registers.outputs, registers.killed, paths)

    def vertex_kernel(self, shader: Shader) -> VertexKernel | str:
        """There are none."""
        return NO_KERNELS

    def fragment_kernel(
        self, shader: Shader, flat: frozenset[int], straight: frozenset[int], size: int, decisions: bool = False
    ) -> Kernel | str:
        """There are none: numpy executes a shader operation by operation."""
        return NO_KERNELS

    def blend_kernel(self, state: BlendState) -> Kernel | str:
        """There are none."""
        return NO_KERNELS

    def make_plan(self, shader: Shader) -> Plan:
        """Translate a shader."""
        return make_plan(shader)

    def _planned(self, shader: Shader) -> tuple[Plan, dict[int, Registers]]:
        # The plan holds the shader, so its id stays taken.
        entry = self._plans.get(id(shader))
        if entry is None:
            if len(self._plans) >= self._limit:
                self._plans.pop(next(iter(self._plans)))
            entry = self._plans[id(shader)] = (self.make_plan(shader), {})
        return entry

    def _registers(self, plan: Plan, files: dict[int, Registers], lanes: int) -> Registers:
        registers = files.get(lanes)
        if registers is None:
            small = lanes <= SMALL_LANES
            same_kind = [n for n in files if (n <= SMALL_LANES) == small]
            if len(same_kind) >= (SMALL_FILES if small else 2):
                files.pop(same_kind[0])
            registers = files[lanes] = Registers(plan.layout, lanes)
        return registers
