"""Draws executed by a real OpenGL driver through moderngl: an independent reference for our own scenes.

The API's state and objects are ours; the driver gets what a resolved draw needs: shader sources, vertex arrays,
textures, tests and blending. moderngl cannot express stencil, polygon offset, depth ranges, sampler objects and integer
targets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .activity.kernels.depth import DEPTH_FORMATS, quantized_depths, stored_depths
from .execute.backend import Backend
from .execute.numpy_backend import NumpyBackend
from .gles.errors import ExecutorError
from .gles.listener import Listener
from .gles.programs import DEPTH_RANGE, Program
from .glsl import LinkedProgram, Uniform
from .opengl import enums as gl
from .pipeline.command import ArrayLayout, DrawCommand
from .pipeline.compute.dispatch import Dispatch
from .pipeline.sampler import Sampler, Storage
from .pipeline.state import DrawState

_COMPARISONS = {
    gl.LESS: "<",
    gl.EQUAL: "==",
    gl.LEQUAL: "<=",
    gl.GREATER: ">",
    gl.NOTEQUAL: "!=",
    gl.GEQUAL: ">=",
    gl.ALWAYS: "1",
    gl.NEVER: "0",
}
_MATRICES = {gl.FLOAT_MAT2: 2, gl.FLOAT_MAT3: 3, gl.FLOAT_MAT4: 4}
_DEPTH24 = DEPTH_FORMATS.index("DEPTH24")


class ReferenceError(ExecutorError):
    """moderngl or a driver is missing, or a draw needs what moderngl cannot express."""


@dataclass
class ReferenceRenderer:
    """Executes draws with moderngl; a replacement for `Renderer`.

    Attributes
    ----------
    sources
        Linked programs with their vertex and fragment sources, by id; kept, so that no other object gets the same id.

    Raises
    ------
    ReferenceError
        moderngl is not installed or finds no driver.
    """

    sources: dict[int, tuple[LinkedProgram, tuple[str, ...]]] = field(default_factory=dict)
    backend: Backend = field(default_factory=NumpyBackend)
    context: Any = None
    programs: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            import moderngl
        except ImportError:
            raise ReferenceError("moderngl is not installed: pip install 'tilegpu[reference]'") from None
        try:
            create: Any = moderngl.create_context
            self.context = create(standalone=True, backend="egl")
            # OpenGL ES filters cube maps across edges; in desktop contexts this must be enabled.
            self.context.enable_direct(gl.TEXTURE_CUBE_MAP_SEAMLESS)
        except Exception as error:
            raise ReferenceError(f"moderngl finds no OpenGL driver ({str(error).splitlines()[0]})") from None

    @property
    def driver(self) -> str:
        """Name of the driver that executes the draws."""
        return str(self.context.info["GL_RENDERER"])

    def run(self, draw: DrawCommand, sink: object) -> None:
        """Execute a draw into the command's attachments."""
        self._check(draw)
        target, linked = draw.state.target, draw.state.program
        color = target.colors[0]
        assert color is not None
        ctx, size = self.context, (target.width, target.height)
        image = ctx.texture(size, 4, color.pixels.tobytes())
        depth = ctx.depth_texture(size)
        if target.depth is not None:
            depth.write(stored_depths(target.depth, _DEPTH24).astype(np.float32).tobytes())
        framebuffer = ctx.framebuffer([image], depth)
        held = [image, depth, framebuffer]
        try:
            self._state(draw.state, framebuffer)
            framebuffer.use()
            program = self._program(linked)
            held += self._textures(draw.state, program)
            self._uniforms(draw.state, program)
            held += self._draw(draw, program)
            color.pixels[...] = np.frombuffer(image.read(), np.uint8).reshape(color.pixels.shape)
            if target.depth is not None:
                values = np.frombuffer(depth.read(), np.float32).reshape(target.depth.shape)
                target.depth[...] = quantized_depths(values, _DEPTH24)
        finally:
            for thing in held:
                thing.release()

    def dispatch(self, dispatch: Dispatch, sink: object) -> None:
        """Refuse a dispatch."""
        raise ReferenceError("moderngl's context has no compute shaders of OpenGL ES")

    def _check(self, draw: DrawCommand) -> None:
        state, raster, tests = draw.state, draw.state.raster, draw.state.depth_stencil
        color = state.target.colors[0] if state.target.colors else None
        if color is None or color.pixels.dtype != np.uint8 or color.bits != (8, 8, 8, 8) or state.target.samples > 1:
            raise ReferenceError("only RGBA8 framebuffers of one sample can be compared")
        if tests.stencil_test or raster.polygon_offset != (0.0, 0.0) or draw.vertices.instances > 1:
            raise ReferenceError("moderngl cannot express stencil tests, polygon offset or divisors")
        reads = any(uniform.name.startswith(DEPTH_RANGE) for uniform in state.program.uniforms)
        if (tests.depth_test or reads) and raster.depth_range != (0.0, 1.0):
            raise ReferenceError("moderngl cannot express depth ranges")

    def _state(self, state: DrawState, framebuffer: Any) -> None:
        ctx, raster, tests, b = self.context, state.raster, state.depth_stencil, state.blending.blend
        framebuffer.viewport = raster.viewport
        x0, y0, x1, y1 = raster.scissor
        framebuffer.scissor = (x0, y0, max(0, x1 - x0), max(0, y1 - y0))
        framebuffer.color_mask = state.blending.color_mask
        framebuffer.depth_mask = tests.depth_write
        flags = ctx.DEPTH_TEST if tests.depth_test else 0
        flags |= ctx.BLEND if b is not None else 0
        flags |= ctx.CULL_FACE if raster.cull else 0
        ctx.enable_only(flags | ctx.PROGRAM_POINT_SIZE)
        ctx.depth_func = _COMPARISONS[tests.depth_function]
        ctx.front_face = "ccw" if raster.front_face == gl.CCW else "cw"
        if raster.cull:
            ctx.cull_face = {gl.FRONT: "front", gl.BACK: "back"}.get(raster.cull, "front_and_back")
        if b is not None:
            if {b.source_rgb, b.destination_rgb, b.source_alpha, b.destination_alpha} & set(
                range(gl.CONSTANT_COLOR, gl.ONE_MINUS_CONSTANT_ALPHA + 1)
            ):
                raise ReferenceError("moderngl cannot set the blend constant")
            ctx.blend_func = (b.source_rgb, b.destination_rgb, b.source_alpha, b.destination_alpha)
            ctx.blend_equation = (b.equation_rgb, b.equation_alpha)

    def program_linked(self, linked: LinkedProgram, sources: tuple[str, ...]) -> None:
        """Note the sources of a program."""
        self.sources[id(linked)] = linked, sources

    def _program(self, linked: LinkedProgram) -> Any:
        if id(linked) not in self.programs:
            _, (vertex, fragment) = self.sources[id(linked)]
            # Without a version the driver would treat them as desktop GLSL.
            marked = [text if text.startswith("#version") else "#version 100\n" + text for text in (vertex, fragment)]
            self.programs[id(linked)] = self.context.program(vertex_shader=marked[0], fragment_shader=marked[1])
        return self.programs[id(linked)]

    def _textures(self, state: DrawState, program: Any) -> list[Any]:
        held = []
        samplers = {u.name: u.samplers["fragment"] for u in state.program.uniforms if "fragment" in u.samplers}
        named = {name: max(numbers) for name, numbers in samplers.items()}
        for name, number in named.items():
            if name not in program:
                continue
            sampler = state.samplers.fragment[number]
            texture = self._texture(sampler)
            held.append(texture)
            texture.use(number)
            program[name].value = number
        return held

    def _texture(self, sampler: Sampler) -> Any:
        storage = sampler.storage
        if storage is None:
            return self.context.texture((1, 1), 4, b"\0\0\0\xff")
        if storage.texels.dtype != np.uint8 or sampler.target not in ("2d", "cube"):
            raise ReferenceError(f"moderngl supports only RGBA8 textures here, not {sampler.target}")
        size = (int(storage.widths[0]), int(storage.heights[0]))
        if sampler.target == "cube":
            texture = self.context.texture_cube(size, 4, level_bytes(storage, 0))
        else:
            texture = self.context.texture(size, 4)
            if len(storage.widths) > 1:
                # Levels must exist before they can be written.
                texture.build_mipmaps(0, len(storage.widths) - 1)
            for level in range(len(storage.widths)):
                texture.write(level_bytes(storage, level), level=level)
            repeats = {gl.REPEAT: True, gl.CLAMP_TO_EDGE: False}
            if sampler.wrap_s not in repeats or sampler.wrap_t not in repeats:
                raise ReferenceError("moderngl cannot mirror textures")
            texture.repeat_x, texture.repeat_y = repeats[sampler.wrap_s], repeats[sampler.wrap_t]
        texture.filter = (sampler.min_filter, sampler.mag_filter)
        return texture

    def _uniforms(self, state: DrawState, program: Any) -> None:
        for uniform in state.program.uniforms:
            if uniform.name not in program or uniform.sampler or uniform.name.startswith("gl_"):
                continue
            stage, slot = next(iter(uniform.slots.items()))
            program[uniform.name].write(uniform_bytes(uniform, state.constants.of(stage)[slot:]))

    def _draw(self, draw: DrawCommand, program: Any) -> list[Any]:
        ctx = self.context
        held, content = [], []
        for attribute in draw.state.program.attributes:
            if attribute.name not in program:
                continue
            array = draw.arrays.enabled.get(attribute.location)
            if array is None:
                value = np.array(draw.arrays.constants[attribute.location], np.float32)
                buffer = ctx.buffer(value.tobytes())
                content.append((buffer, "4f4/r", attribute.name))
            else:
                layout = array.layout
                buffer = ctx.buffer(bytes(array.data[layout.offset_bytes :]) + bytes(layout.stride_bytes))
                content.append((buffer, array_format(layout), attribute.name))
            held.append(buffer)
        index, vertices = None, draw.vertices
        if vertices.stream.indices is not None:
            index = ctx.buffer(vertices.stream.indices.astype("<u4").tobytes())
            held.append(index)
        vertex_array = ctx.vertex_array(program, content, index, index_element_size=4)
        vertex_array.render(
            vertices.topology, vertices=vertices.stream.count, first=vertices.first if index is None else 0
        )
        return [*held, vertex_array]


class SourceListener(Listener):
    """Hands the sources of linked programs to the reference renderer."""

    def __init__(self, renderer: ReferenceRenderer) -> None:
        self.renderer = renderer

    def program_linked(self, program: Program, call: int) -> None:
        """Note a program's sources."""
        if program.linked is not None:
            self.renderer.program_linked(program.linked, program.sources)


def array_format(array: ArrayLayout) -> str:
    """Format string of a vertex array: components, padding up to the stride."""
    kinds = {
        (gl.FLOAT, False): "f4",
        (gl.HALF_FLOAT, False): "f2",
        (gl.HALF_FLOAT_OES, False): "f2",
        (gl.UNSIGNED_BYTE, True): "f1",
    }
    kind = kinds.get((array.type, array.normalized and array.type == gl.UNSIGNED_BYTE))
    if kind is None:
        raise ReferenceError("moderngl cannot express integer or signed normalized vertex arrays")
    padding = array.stride_bytes - array.components * int(kind[1:])
    return f"{array.components}{kind}" + (f" {padding}x" if padding > 0 else "")


def level_bytes(storage: Storage, level: int) -> bytes:
    """All images of a level, one after the other."""
    first = int(storage.offsets[level])
    size = int(storage.widths[level] * storage.heights[level] * storage.layers[level]) * 4
    return storage.texels[first : first + size].tobytes()


def uniform_bytes(uniform: Uniform, slots: NDArray[np.float32]) -> bytes:
    """A uniform's value in OpenGL's form, from its constant slots."""
    columns = _MATRICES.get(uniform.gl_type, 1)
    components = _MATRICES.get(uniform.gl_type) or {
        gl.FLOAT: 1,
        gl.FLOAT_VEC2: 2,
        gl.FLOAT_VEC3: 3,
        gl.FLOAT_VEC4: 4,
        gl.INT: 1,
        gl.INT_VEC2: 2,
        gl.INT_VEC3: 3,
        gl.INT_VEC4: 4,
        gl.BOOL: 1,
        gl.BOOL_VEC2: 2,
        gl.BOOL_VEC3: 3,
        gl.BOOL_VEC4: 4,
    }.get(uniform.gl_type, 4)
    rows = slots[: max(1, uniform.array_size) * columns, :components]
    return np.ascontiguousarray(rows, "<f4").tobytes()
