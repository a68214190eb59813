"""The fast back end: straight pieces of shaders as machine code over vectors of lanes, made by LLVM.

Everything that is not arithmetic (flow by masks, paths, texture operations, registers chosen at run time) is done as
the reference back end does it, so both record the same.
"""

from __future__ import annotations

import numpy as np

from ...glsl.ir.program import Shader
from ..backend import DEFAULT_INSTRUCTION_LIMIT, FloatArray, Result, SampleFunction
from ..numpy_backend.flow import execute
from ..numpy_backend.plan import Plan
from ..numpy_backend.registers import Registers, check_arguments
from ..paths import LanePaths, PathTable
from .native import Code
from .plan import native_plan

__all__ = ["LlvmBackend"]


class LlvmBackend:
    """Runs shaders as machine code. Keeps plans and register files, so each thread needs a back end of its own.

    Parameters
    ----------
    plans : int
        How many shaders to keep plans for.
    """

    name = "llvm"

    def __init__(self, plans: int = 256) -> None:
        self._limit = plans
        self._plans: dict[int, tuple[Plan, Code | None, dict[int, Registers]]] = {}

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
        plan, registers = self._registers(shader, lanes)
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

    def _registers(self, shader: Shader, lanes: int) -> tuple[Plan, Registers]:
        # The plan holds the shader, so its id stays taken.
        entry = self._plans.get(id(shader))
        if entry is None:
            if len(self._plans) >= self._limit:
                self._plans.pop(next(iter(self._plans)))
            entry = self._plans[id(shader)] = (*native_plan(shader), {})
        plan, _, files = entry
        registers = files.get(lanes)
        if registers is None:
            if len(files) >= 2:
                files.pop(next(iter(files)))
            registers = files[lanes] = Registers(plan.layout, lanes)
        return plan, registers
