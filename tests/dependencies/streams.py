"""Small random streams whose frames depend on earlier ones in every way there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

SIZE = 16
QUAD = np.array([(-1, -1, 0, 1), (1, -1, 0.2, 1), (-1, 1, -0.2, 1), (1, 1, 0.1, 1)], np.float32)
INDICES = np.array([0, 1, 2, 2, 1, 3], np.uint32)
_HEAD = "#version 310 es\nprecision highp float; precision highp image2D;\n"
TEXTURED = (
    _HEAD + "layout(location = 0) in vec4 p; uniform vec4 place; out vec2 c;"
    "void main() { c = p.xy * 0.5 + 0.5; gl_Position = vec4(p.xy * place.zw + place.xy, p.z, 1.0); }",
    _HEAD + "in vec2 c; uniform sampler2D image; uniform vec4 tint; out vec4 color;"
    "void main() { color = fract(texture(image, c) + tint); }",
)
BLOCK = (
    TEXTURED[0],
    _HEAD + "in vec2 c; layout(std140) uniform Tint { vec4 tint; }; out vec4 color; uniform sampler2D image;"
    "void main() { color = fract(tint + c.xyxy * 0.25); }",
)
STORING = (
    TEXTURED[0],
    _HEAD + "in vec2 c; layout(std430, binding = 0) buffer B { vec4 data[]; } b; uniform vec4 tint; out vec4 color;"
    "void main() { b.data[0].x = fract(tint.x + b.data[0].x) - 0.5; color = tint; }",
)
FEEDBACK = (
    _HEAD + "layout(location = 0) in vec4 p; uniform vec4 place; out vec4 moved;"
    "void main() { moved = vec4(fract(p.xy + place.xy + 0.5) - 0.5, p.z, 1.0); gl_Position = moved; }",
    _HEAD + "out vec4 color; void main() { color = vec4(1.0); }",
)
COMPUTE = (
    _HEAD + "layout(local_size_x = 4) in; layout(std430, binding = 0) buffer A { vec4 a[]; } x;"
    "layout(std430, binding = 1) buffer B { vec4 b[]; } y; uniform vec4 place;"
    "layout(rgba8, binding = 0) writeonly uniform image2D goal;"
    "void main() { uint i = gl_LocalInvocationID.x; y.b[i] = vec4(fract(x.a[i].xy + place.xy + 0.5) - 0.5, 0.1, 1.0);"
    "imageStore(goal, ivec2(i, i), fract(x.a[i])); }"
)
NUMBERS = (
    _HEAD + "layout(local_size_x = 4) in; layout(std430, binding = 1) buffer B { uint b[]; } y; uniform uint seed;"
    "void main() { uint i = gl_LocalInvocationID.x; y.b[i] = i == 0u ? 3u + seed % 2u : i == 1u ? 1u : 0u; }"
)
Action = Callable[["Stream"], None]
ACTIONS: dict[str, Action] = {}


def action(function: Action) -> Action:
    """Register a thing that a stream may do."""
    ACTIONS[function.__name__.strip("_")] = function
    return function


class Stream:
    """A program that does random things."""

    def __init__(self, path: Path, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.r = Recorder(path, SIZE, SIZE, (3, 1))
        r = self.r
        r.glBindVertexArray(r.glGenVertexArrays(1)[0])
        self.programs = {name: self._program(*source) for name, source in
                         {"textured": TEXTURED, "block": BLOCK, "storing": STORING}.items()}  # fmt: skip
        self.feedback = self._feedback()
        self.compute, self.numbers = r.compute_program(COMPUTE), r.compute_program(NUMBERS)
        self.quad, *self.buffers = (self._buffer(gl.ARRAY_BUFFER, QUAD) for _ in range(4))
        self.indices, self.indirect = (
            self._buffer(gl.ARRAY_BUFFER, d) for d in (INDICES, np.array([4, 1, 0, 0, 0, 0], np.uint32))
        )
        self.pixels = self._buffer(gl.ARRAY_BUFFER, np.zeros(SIZE * SIZE * 4, np.uint8))
        self.textures = [self._texture() for _ in range(3)]
        self.framebuffers = [0, *(self._framebuffer(texture) for texture in self.textures)]
        self.target = 0

    def _program(self, vertex: str, fragment: str) -> dict[str, int]:
        program = self.r.program(vertex, fragment)
        names = ("place", "tint", "image")
        return {"program": program, **{name: self.r.glGetUniformLocation(program, name) for name in names}}

    def _feedback(self) -> int:
        r = self.r
        program = r.glCreateProgram()
        for kind, source in zip((gl.VERTEX_SHADER, gl.FRAGMENT_SHADER), FEEDBACK, strict=True):
            shader = r.glCreateShader(kind)
            r.glShaderSource(shader, 1, [source], None)
            r.glCompileShader(shader)
            r.glAttachShader(program, shader)
        r.glTransformFeedbackVaryings(program, 1, ["moved"], gl.INTERLEAVED_ATTRIBS)
        r.glLinkProgram(program)
        return program

    def _buffer(self, target: int, data: np.ndarray) -> int:
        name = self.r.glGenBuffers(1)[0]
        self.r.glBindBuffer(target, name)
        self.r.glBufferData(target, data.nbytes, data, gl.STATIC_DRAW)
        return name

    def _texture(self) -> int:
        r = self.r
        name = r.glGenTextures(1)[0]
        r.glBindTexture(gl.TEXTURE_2D, name)
        r.glTexStorage2D(gl.TEXTURE_2D, 3, gl.RGBA8, SIZE, SIZE)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST)
        return name

    def _framebuffer(self, texture: int) -> int:
        r = self.r
        name, depth = r.glGenFramebuffers(1)[0], r.glGenRenderbuffers(1)[0]
        r.glBindRenderbuffer(gl.RENDERBUFFER, depth)
        r.glRenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, SIZE, SIZE)
        r.glBindFramebuffer(gl.FRAMEBUFFER, name)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, depth)
        return name

    def pick(self, *among: int) -> int:
        """One of some numbers."""
        return int(self.random.choice(among))

    def numbers_of(self, count: int, low: float = 0.0) -> list[float]:
        """Random numbers up to 1."""
        return [float(np.float32(v)) for v in self.random.uniform(low, 1, count)]

    def aim(self, program: str) -> dict[str, int]:
        """Use a program with random uniforms, arrays and a texture that is not drawn to."""
        r, used = self.r, self.programs[program]
        r.glUseProgram(used["program"])
        r.glUniform4f(used["place"], *self.numbers_of(2, -0.5), *self.numbers_of(2, 0.3))
        r.glUniform4f(used["tint"], *self.numbers_of(4))
        r.glBindTexture(gl.TEXTURE_2D, self.sampled())
        r.glBindBuffer(gl.ARRAY_BUFFER, self.pick(*self.buffers))
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        return used

    def sampled(self) -> int:
        """A texture that is not drawn to."""
        return self.pick(*(t for number, t in enumerate(self.textures) if number + 1 != self.target))

    def draw_to(self, target: int) -> None:
        """Draw to the window, 0, or to a texture by its number from 1."""
        self.target = target
        self.r.glBindFramebuffer(gl.FRAMEBUFFER, self.framebuffers[target])

    def capture(self, source: int, goal: int, count: int = 4) -> None:
        """Capture vertices of a buffer, moved, in another one."""
        r = self.r
        r.glUseProgram(self.feedback)
        r.glUniform4f(r.glGetUniformLocation(self.feedback, "place"), *self.numbers_of(4, -0.5))
        r.glBindBuffer(gl.ARRAY_BUFFER, source)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        r.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, goal)
        r.glEnable(gl.RASTERIZER_DISCARD)
        r.glBeginTransformFeedback(gl.POINTS)
        r.glDrawArrays(gl.POINTS, 0, count)
        r.glEndTransformFeedback()
        r.glDisable(gl.RASTERIZER_DISCARD)
        r.glBindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)

    def quad_of(self, buffer: int, texture: int | None = None, place: tuple[float, ...] = ()) -> None:
        """Draw the vertices of a buffer, with a texture and a place or random ones."""
        used = self.aim("textured")
        if place:
            self.r.glUniform4f(used["place"], *place)
        if texture is not None:
            self.r.glBindTexture(gl.TEXTURE_2D, texture)
        self.r.glBindBuffer(gl.ARRAY_BUFFER, buffer)
        self.r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        self.r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)

    def renew(self) -> None:
        """Clear some framebuffers completely and fill some buffers anew, so that earlier frames matter less."""
        r = self.r
        r.glDisable(gl.SCISSOR_TEST)
        r.glColorMask(1, 1, 1, 1)
        r.glDepthMask(1)
        for target in self.random.choice(4, self.pick(0, 1, 3), replace=False).tolist():
            self.draw_to(target)
            r.glClearColor(*self.numbers_of(4))
            r.glClear(0x4500)
        for buffer in self.random.choice(self.buffers, self.pick(0, 1, 2), replace=False).tolist():
            r.glBindBuffer(gl.ARRAY_BUFFER, buffer)
            r.glBufferData(gl.ARRAY_BUFFER, QUAD.nbytes, QUAD, gl.STATIC_DRAW)

    def show(self) -> None:
        """Show all textures, large and small, and the vertices and uniforms of all buffers."""
        r = self.r
        self.draw_to(0)
        for capability in (gl.SCISSOR_TEST, gl.BLEND, gl.DEPTH_TEST, gl.STENCIL_TEST):
            r.glDisable(capability)
        for number, (texture, buffer) in enumerate(zip(self.textures, self.buffers, strict=True)):
            used = self.aim("textured")
            r.glBindTexture(gl.TEXTURE_2D, texture)
            r.glUniform4f(used["tint"], 0, 0, 0, 0)
            for size, row in ((0.3, -0.5), (0.1, 0.1)):
                r.glBindBuffer(gl.ARRAY_BUFFER, self.quad if number else buffer)
                r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
                r.glUniform4f(used["place"], -0.6 + 0.6 * number, row, size, size)
                r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
            self.aim("block")
            r.glUniform4f(self.programs["block"]["place"], -0.6 + 0.6 * number, 0.7, 0.25, 0.25)
            r.glBindBuffer(gl.ARRAY_BUFFER, self.quad)
            r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
            r.glBindBufferBase(gl.UNIFORM_BUFFER, 0, buffer)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)

    def close(self) -> None:
        """Finish the file."""
        self.r.close()


@action
def _aim_at_target(s: Stream) -> None:
    s.draw_to(s.pick(0, 0, 1, 2, 3))


@action
def _clear(s: Stream) -> None:
    s.r.glClearColor(*s.numbers_of(4))
    s.r.glClear(s.pick(0x4000, 0x4100, 0x4500, 0x100, 0x400))


@action
def _set_state(s: Stream) -> None:
    for capability in (gl.SCISSOR_TEST, gl.BLEND, gl.DEPTH_TEST, gl.STENCIL_TEST):
        (s.r.glEnable if s.pick(0, 1) else s.r.glDisable)(capability)
    s.r.glScissor(s.pick(0, 3), s.pick(0, 5), s.pick(4, SIZE), s.pick(6, SIZE))
    s.r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    s.r.glColorMask(1, s.pick(0, 1, 1), 1, 1)
    s.r.glDepthMask(s.pick(0, 1, 1))
    s.r.glStencilFunc(s.pick(gl.ALWAYS, gl.EQUAL), s.pick(0, 1), 255)
    s.r.glStencilOp(gl.KEEP, gl.KEEP, s.pick(gl.KEEP, gl.REPLACE, gl.INCR))


@action
def _draw(s: Stream) -> None:
    s.aim("textured")
    for _ in range(s.pick(1, 2, 3)):
        s.r.glDrawArrays(gl.TRIANGLE_STRIP, 0, s.pick(3, 4))


@action
def _draw_block(s: Stream) -> None:
    s.aim("block")
    s.r.glBindBufferBase(gl.UNIFORM_BUFFER, 0, s.pick(*s.buffers))
    s.r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)


@action
def _draw_and_store(s: Stream) -> None:
    s.aim("storing")
    s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, s.pick(*s.buffers))
    s.r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)


@action
def _draw_indices(s: Stream) -> None:
    s.aim("textured")
    s.r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.pick(s.indices, s.indirect))
    s.r.glDrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_INT, 0)


@action
def _draw_indirect(s: Stream) -> None:
    s.aim("textured")
    s.r.glBindBuffer(gl.DRAW_INDIRECT_BUFFER, s.indirect)
    s.r.glDrawArraysIndirect(gl.TRIANGLE_STRIP, 0)


@action
def _capture(s: Stream) -> None:
    source, goal = s.random.choice(s.buffers, 2, replace=False)
    s.capture(int(source), int(goal), s.pick(2, 4))


@action
def _dispatch(s: Stream) -> None:
    source, goal = s.random.choice(s.buffers, 2, replace=False)
    s.r.glUseProgram(s.compute)
    s.r.glUniform4f(s.r.glGetUniformLocation(s.compute, "place"), *s.numbers_of(4, -0.5))
    s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, int(source))
    s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, int(goal))
    s.r.glBindImageTexture(0, s.pick(*s.textures), 0, 0, 0, gl.WRITE_ONLY, gl.RGBA8)
    s.r.glDispatchCompute(1, 1, 1)


@action
def _dispatch_numbers(s: Stream) -> None:
    s.r.glUseProgram(s.numbers)
    s.r.glUniform1ui(s.r.glGetUniformLocation(s.numbers, "seed"), s.pick(0, 1))
    s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, s.indirect)
    s.r.glDispatchCompute(1, 1, 1)


@action
def _copy_to_texture(s: Stream) -> None:
    s.r.glBindTexture(gl.TEXTURE_2D, s.sampled())
    x, y = s.pick(0, 5), s.pick(0, 4)
    s.r.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, x, y, s.pick(0, 2), 0, SIZE - x, SIZE - y)


@action
def _blit(s: Stream) -> None:
    source = s.pick(*(number for number in range(4) if number != s.target))
    s.r.glBindFramebuffer(gl.READ_FRAMEBUFFER, s.framebuffers[source])
    box = (0, 0, s.pick(8, SIZE), SIZE)
    s.r.glBlitFramebuffer(*box, s.pick(0, 2), 0, SIZE, SIZE, s.pick(0x4000, 0x4000, 0x4100), gl.NEAREST)
    s.r.glBindFramebuffer(gl.FRAMEBUFFER, s.framebuffers[s.target])


@action
def _make_mipmaps(s: Stream) -> None:
    s.r.glBindTexture(gl.TEXTURE_2D, s.sampled())
    s.r.glGenerateMipmap(gl.TEXTURE_2D)


@action
def _read_into_buffer(s: Stream) -> None:
    s.r.glBindBuffer(gl.PIXEL_PACK_BUFFER, s.pixels)
    s.r.glReadPixels(0, 0, s.pick(8, SIZE), SIZE, gl.RGBA, gl.UNSIGNED_BYTE, None)
    s.r.glBindBuffer(gl.PIXEL_PACK_BUFFER, 0)


@action
def _upload_from_buffer(s: Stream) -> None:
    s.r.glBindTexture(gl.TEXTURE_2D, s.sampled())
    s.r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, s.pixels)
    s.r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SIZE, s.pick(8, SIZE), gl.RGBA, gl.UNSIGNED_BYTE, None)
    s.r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)


@action
def _upload(s: Stream) -> None:
    s.r.glBindTexture(gl.TEXTURE_2D, s.sampled())
    height = s.pick(4, SIZE)
    texels = s.random.integers(0, 256, (height, SIZE, 4), np.uint8)
    s.r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SIZE, height, gl.RGBA, gl.UNSIGNED_BYTE, texels)


@action
def _copy_buffer(s: Stream) -> None:
    source, goal = s.random.choice(s.buffers, 2, replace=False)
    s.r.glBindBuffer(gl.COPY_READ_BUFFER, int(source))
    s.r.glBindBuffer(gl.COPY_WRITE_BUFFER, int(goal))
    s.r.glCopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, s.pick(32, QUAD.nbytes))


@action
def _fill_buffer(s: Stream) -> None:
    s.r.glBindBuffer(gl.ARRAY_BUFFER, s.pick(*s.buffers))
    part = QUAD[: s.pick(2, 4)] * np.float32(s.numbers_of(1, 0.5)[0])
    s.r.glBufferSubData(gl.ARRAY_BUFFER, 0, part.nbytes, part)


def record_random(path: Path, seed: int, frames: int, only: tuple[str, ...] = ()) -> None:
    """Record a random stream, of some kinds of actions or all."""
    s = Stream(path, seed)
    names = [name for name in ACTIONS if not only or name in only]
    for _ in range(frames):
        s.renew()
        for name in s.random.choice(names, s.pick(2, 6, 12)):
            ACTIONS[name](s)
        if s.pick(0, 1, 1):
            s.show()
        s.r.swap()
    s.close()
