"""The fast back end: straight-line pieces of shaders as machine code over vectors of lanes, compiled by LLVM.

Everything else (flow by masks, paths, texture operations, registers chosen at run time) is executed like in the
reference back end, so both record the same.
"""

from __future__ import annotations

from ...glsl.ir.program import Shader
from ...glsl.ir.unread import Uncolored
from ..backend import ComputeKernel, Interpolation, Kernel, Noted, VertexKernel
from ..kernel_arguments import BlendState, DepthState
from ..memory import ImageFormat
from ..numpy_backend import NumpyBackend
from ..numpy_backend.plan import Plan
from .kernels import blend_kernel, compute_kernel, depth_kernel, fragment_kernel, vertex_kernel
from .plan import native_plan

__all__ = ["LlvmBackend"]


class LlvmBackend(NumpyBackend):
    """Runs shaders as machine code. Keeps plans and register files, so each thread needs its own back end."""

    name = "llvm"
    limit = 1024

    def vertex_kernel(self, shader: Shader, noted: Noted = "nothing") -> VertexKernel | str:
        """The machine code of a vertex shader, or the reason why there is none."""
        return self._kept(("vertices", noted), shader, lambda: vertex_kernel(shader, noted))

    def fragment_kernel(
        self,
        shader: Shader,
        interpolation: Interpolation,
        noted: Noted = "nothing",
        uncolored: Uncolored | None = None,
    ) -> Kernel | str:
        """The kernel of a fragment shader, compiled on first use, or the reason why there is none."""
        key = interpolation, noted, uncolored
        return self._kept(key, shader, lambda: fragment_kernel(shader, *key))

    def blend_kernel(self, state: BlendState) -> Kernel | str:
        """The kernel that blends quads."""
        return blend_kernel(state)

    def depth_kernel(self, state: DepthState) -> Kernel | str:
        """The kernel that tests the depths of quads."""
        return depth_kernel(state)

    def compute_kernel(self, shader: Shader, formats: tuple[ImageFormat, ...]) -> ComputeKernel | str:
        """The kernel of a compute shader, compiled on first use, or the reason why there is none."""
        return self._kept(("groups", formats), shader, lambda: compute_kernel(shader, formats))

    def make_plan(self, shader: Shader) -> Plan:
        """Translate a shader, with machine code for its straight-line pieces."""
        return native_plan(shader)
