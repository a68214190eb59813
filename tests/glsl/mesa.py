"""Running fragment shaders in Mesa through moderngl, a point per lane on a render target of whole 32-bit numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERTEX = """#version 300 es
layout(location = 0) in vec4 p_in;
layout(location = 1) in vec4 q_in;
layout(location = 2) in ivec4 k_in;
layout(location = 3) in uvec4 n_in;
flat out vec4 p;
flat out vec4 q;
flat out ivec4 k;
flat out uvec4 n;
uniform float lanes;
void main() {
    gl_Position = vec4((float(gl_VertexID) + 0.5) / lanes * 2.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    p = p_in;
    q = q_in;
    k = k_in;
    n = n_in;
}
"""


class Mesa:
    """An offscreen context."""

    def __init__(self) -> None:
        import moderngl

        self.moderngl = moderngl
        os.environ.update({"EGL_PLATFORM": "surfaceless", "LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"})
        self.context = moderngl.create_context(standalone=True, backend="egl")
        self.context.enable(moderngl.PROGRAM_POINT_SIZE)
        self.targets: dict[tuple[int, str], Any] = {}

    def run(
        self,
        fragment: str,
        inputs: dict[str, NDArray[Any]],
        dtype: str,
        uniforms: Mapping[str, NDArray[np.float32]] | None = None,
    ) -> NDArray[Any]:
        """The four components of the first output in every lane; ``dtype`` is "f4", "i4" or "u4"."""
        lanes = len(inputs["p"])
        program = self.context.program(vertex_shader=VERTEX, fragment_shader=fragment)
        buffers = []
        for name, layout in (("p", "4f4"), ("q", "4f4"), ("k", "4i4"), ("n", "4u4")):
            if f"{name}_in" in program:
                buffers.append((self.context.buffer(inputs[name].tobytes()), layout, f"{name}_in"))
        program["lanes"] = float(lanes)
        for name, values in (uniforms or {}).items():
            if name in program:
                uniform = program[name]
                uniform.write(np.ascontiguousarray(values[: uniform.array_length]).tobytes())
        target = self.targets.get((lanes, dtype))
        if target is None:
            texture = self.context.texture((lanes, 1), 4, dtype=dtype)
            target = self.targets[lanes, dtype] = self.context.framebuffer([texture])
        target.use()
        target.clear()
        array = self.context.vertex_array(program, buffers)
        array.render(self.moderngl.POINTS, vertices=lanes)
        data = np.frombuffer(target.read(components=4, dtype=dtype), dtype).reshape(lanes, 4)
        for buffer, _, _ in buffers:
            buffer.release()
        array.release()
        program.release()
        return data
