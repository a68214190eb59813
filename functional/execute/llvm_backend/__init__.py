"""The fast back end: straight pieces of shaders as machine code over vectors of lanes, made by LLVM.

Everything that is not arithmetic (flow by masks, paths, texture operations, registers chosen at run time) is done as
the reference back end does it, so both record the same.
"""

from __future__ import annotations

from ...glsl.ir.program import Shader
from ..numpy_backend import NumpyBackend
from ..numpy_backend.plan import Plan
from .plan import native_plan

__all__ = ["LlvmBackend"]


class LlvmBackend(NumpyBackend):
    """Runs shaders as machine code. Keeps plans and register files, so each thread needs a back end of its own."""

    name = "llvm"

    def make_plan(self, shader: Shader) -> Plan:
        """Translate a shader, with machine code for its straight pieces."""
        return native_plan(shader)
