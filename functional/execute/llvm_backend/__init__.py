"""The fast back end: straight-line pieces of shaders as machine code over vectors of lanes, compiled by LLVM.

Everything else (flow by masks, paths, texture operations, registers chosen at run time) is executed like in the
reference back end, so both record the same.
"""

from __future__ import annotations

from ...glsl.ir.program import Shader
from ..backend import Kernel, VertexKernel
from ..kernel_arguments import BlendState
from ..numpy_backend import NumpyBackend
from ..numpy_backend.plan import Plan
from .kernels import blend_kernel, fragment_kernel, vertex_kernel
from .plan import native_plan

__all__ = ["LlvmBackend"]
MAX_KERNELS = 256


class LlvmBackend(NumpyBackend):
    """Runs shaders as machine code. Keeps plans and register files, so each thread needs its own back end."""

    name = "llvm"

    def __init__(self) -> None:
        super().__init__()
        self._vertices: dict[int, tuple[Shader, VertexKernel | str]] = {}
        self._kernels: dict[tuple[int, frozenset[int], frozenset[int], int, bool], tuple[Shader, Kernel | str]] = {}

    def vertex_kernel(self, shader: Shader) -> VertexKernel | str:
        """The machine code of a vertex shader that is one piece, or has branches but no loops; otherwise the reason."""
        plan, _ = self._planned(shader)
        whole = plan.whole
        if whole is not None:
            return VertexKernel(whole.address, plan.code, False)
        entry = self._vertices.get(id(shader))
        if entry is None:
            if len(self._vertices) >= MAX_KERNELS:
                self._vertices.pop(next(iter(self._vertices)))
            entry = self._vertices[id(shader)] = shader, vertex_kernel(shader)
        return entry[1]

    def fragment_kernel(
        self, shader: Shader, flat: frozenset[int], straight: frozenset[int], size: int, decisions: bool = False
    ) -> Kernel | str:
        """The kernel of a fragment shader, compiled on first use, or the reason why there is none."""
        # The entry holds the shader, so its id stays taken.
        key = id(shader), flat, straight, size, decisions
        entry = self._kernels.get(key)
        if entry is None:
            if len(self._kernels) >= MAX_KERNELS:
                self._kernels.pop(next(iter(self._kernels)))
            entry = self._kernels[key] = shader, fragment_kernel(shader, flat, straight, size, decisions)
        return entry[1]

    def blend_kernel(self, state: BlendState) -> Kernel | str:
        """The kernel that blends quads."""
        return blend_kernel(state)

    def make_plan(self, shader: Shader) -> Plan:
        """Translate a shader, with machine code for its straight-line pieces."""
        return native_plan(shader)
