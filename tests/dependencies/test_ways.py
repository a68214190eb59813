"""Each way in which a frame may depend on an earlier one, alone: the last frame shows what the first one made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

from .streams import SIZE, Stream

Way = Callable[[Stream], tuple[Callable[[], None], Callable[[], None], Callable[[], None]]]
WAYS: dict[str, Way] = {}
BOX = (0, 0, SIZE, SIZE)


def way(function: Way) -> Way:
    """Register a way: it gives what the first frame makes, how it goes on in the second, and what the last shows."""
    WAYS[function.__name__] = function
    return function


def drawn(s: Stream, target: int) -> None:
    """Draw something to a texture."""
    s.draw_to(target)
    s.r.glClearColor(*s.numbers_of(4))
    s.r.glClear(0x4500)
    s.quad_of(s.quad)


def shown(s: Stream, buffer: int, texture: int | None = None) -> None:
    """Draw to the window, large, so that the base level is sampled."""
    s.draw_to(0)
    s.quad_of(buffer, texture, (0.0, 0.0, 1.0, 1.0))


@way
def ping_pong_of_textures(s: Stream):
    return (
        lambda: drawn(s, 1),
        lambda: (drawn(s, 2), s.quad_of(s.quad, s.textures[0])),
        lambda: shown(s, s.quad, s.textures[1]),
    )


@way
def copy_to_texture(s: Stream):
    def copy() -> None:
        s.draw_to(1)
        s.r.glBindTexture(gl.TEXTURE_2D, s.textures[1])
        s.r.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, 2, 2, 0, 0, 9, 9)

    return lambda: drawn(s, 1), copy, lambda: shown(s, s.quad, s.textures[1])


@way
def new_image_by_copy(s: Stream):
    name = s.r.glGenTextures(1)[0]

    def copy() -> None:
        s.draw_to(1)
        s.r.glBindTexture(gl.TEXTURE_2D, name)
        s.r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
        s.r.glCopyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 8, 8, 0)

    return lambda: drawn(s, 1), copy, lambda: shown(s, s.quad, name)


@way
def mipmaps(s: Stream):
    def make() -> None:
        s.r.glBindTexture(gl.TEXTURE_2D, s.textures[0])
        s.r.glGenerateMipmap(gl.TEXTURE_2D)
        # The base level is another one now, so only the smaller levels can show what was drawn.
        s.draw_to(1)
        s.r.glClear(gl.COLOR_BUFFER_BIT)

    def show() -> None:
        s.aim("textured")
        s.r.glUniform4f(s.programs["textured"]["place"], 0, 0, 0.2, 0.2)
        s.r.glBindTexture(gl.TEXTURE_2D, s.textures[0])
        s.r.glBindBuffer(gl.ARRAY_BUFFER, s.quad)
        s.r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        s.draw_to(0)
        s.r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)

    return lambda: drawn(s, 1), make, show


@way
def blit_of_colours(s: Stream):
    def blit() -> None:
        s.draw_to(2)
        s.r.glBindFramebuffer(gl.READ_FRAMEBUFFER, s.framebuffers[1])
        s.r.glBlitFramebuffer(*BOX, *BOX, gl.COLOR_BUFFER_BIT, gl.NEAREST)

    return lambda: drawn(s, 1), blit, lambda: shown(s, s.quad, s.textures[1])


@way
def blit_of_depth(s: Stream):
    plain = s._texture()

    def make() -> None:
        s.r.glEnable(gl.DEPTH_TEST)
        s.r.glDepthFunc(gl.ALWAYS)
        drawn(s, 1)

    def blit() -> None:
        s.draw_to(2)
        s.r.glBindFramebuffer(gl.READ_FRAMEBUFFER, s.framebuffers[1])
        s.r.glBlitFramebuffer(*BOX, *BOX, gl.DEPTH_BUFFER_BIT, gl.NEAREST)

    def show() -> None:
        s.draw_to(2)
        s.r.glDepthFunc(gl.LEQUAL)
        s.r.glClear(gl.COLOR_BUFFER_BIT)
        s.quad_of(s.quad, plain, (0.0, 0.0, 1.0, 1.0))
        s.r.glDisable(gl.DEPTH_TEST)
        shown(s, s.quad, s.textures[1])

    return make, blit, show


@way
def stencil(s: Stream):
    def make() -> None:
        s.r.glEnable(gl.STENCIL_TEST)
        s.r.glStencilOp(gl.KEEP, gl.KEEP, gl.INCR)
        drawn(s, 1)

    def show() -> None:
        s.draw_to(1)
        s.r.glStencilFunc(gl.EQUAL, 1, 255)
        s.r.glClear(gl.COLOR_BUFFER_BIT)
        s.quad_of(s.quad, s.textures[1], (0.0, 0.0, 1.0, 1.0))
        s.r.glDisable(gl.STENCIL_TEST)
        shown(s, s.quad, s.textures[0])

    return make, lambda: None, show


@way
def chain_of_captures(s: Stream):
    a, b, c = s.buffers
    return lambda: s.capture(a, b), lambda: s.capture(b, c), lambda: shown(s, c)


@way
def copy_of_a_buffer(s: Stream):
    a, b, c = s.buffers

    def copy() -> None:
        s.r.glBindBuffer(gl.COPY_READ_BUFFER, b)
        s.r.glBindBuffer(gl.COPY_WRITE_BUFFER, c)
        s.r.glCopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, 64)

    return lambda: s.capture(a, b), copy, lambda: shown(s, c)


@way
def pixels_through_a_buffer(s: Stream):
    def read() -> None:
        s.draw_to(1)
        s.r.glBindBuffer(gl.PIXEL_PACK_BUFFER, s.pixels)
        s.r.glReadPixels(*BOX, gl.RGBA, gl.UNSIGNED_BYTE, None)
        s.r.glBindBuffer(gl.PIXEL_PACK_BUFFER, 0)

    def show() -> None:
        s.r.glBindTexture(gl.TEXTURE_2D, s.textures[1])
        s.r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, s.pixels)
        s.r.glTexSubImage2D(gl.TEXTURE_2D, 0, *BOX, gl.RGBA, gl.UNSIGNED_BYTE, None)
        s.r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
        shown(s, s.quad, s.textures[1])

    return lambda: drawn(s, 1), read, show


def dispatched(s: Stream, source: int, goal: int, image: int) -> None:
    """Compute vertices and texels from vertices."""
    s.r.glUseProgram(s.compute)
    s.r.glUniform4f(s.r.glGetUniformLocation(s.compute, "place"), 0.25, 0.125, 0, 0)
    s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, source)
    s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, goal)
    s.r.glBindImageTexture(0, image, 0, 0, 0, gl.WRITE_ONLY, gl.RGBA8)
    s.r.glDispatchCompute(1, 1, 1)


@way
def chain_of_dispatches(s: Stream):
    a, b, c = s.buffers
    image = s.textures[0]
    return lambda: dispatched(s, a, b, image), lambda: dispatched(s, b, c, image), lambda: shown(s, c)


@way
def image_that_a_dispatch_wrote(s: Stream):
    a, b, _ = s.buffers
    return lambda: dispatched(s, a, b, s.textures[1]), lambda: None, lambda: shown(s, s.quad, s.textures[1])


@way
def uniforms_that_a_dispatch_wrote(s: Stream):
    def show() -> None:
        s.draw_to(0)
        s.aim("block")
        s.r.glBindBufferBase(gl.UNIFORM_BUFFER, 0, s.buffers[1])
        s.r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)

    return lambda: dispatched(s, s.buffers[0], s.buffers[1], s.textures[0]), lambda: None, show


@way
def numbers_that_a_dispatch_wrote(s: Stream):
    def compute() -> None:
        s.r.glUseProgram(s.numbers)
        s.r.glUniform1ui(s.r.glGetUniformLocation(s.numbers, "seed"), 0)
        s.r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, s.indirect)
        s.r.glDispatchCompute(1, 1, 1)

    def show() -> None:
        s.draw_to(0)
        s.aim("textured")
        s.r.glBindBuffer(gl.DRAW_INDIRECT_BUFFER, s.indirect)
        s.r.glDrawArraysIndirect(gl.TRIANGLE_STRIP, 0)

    return compute, lambda: None, show


@pytest.mark.parametrize("name", sorted(WAYS))
def test_the_last_frame_shows_the_first(tmp_path: Path, name: str) -> None:
    s = Stream(tmp_path / "a.trace", 1)
    made, continued, show = WAYS[name](s)
    for frame in (made, continued, lambda: drawn(s, 3), show):
        s.draw_to(0)
        s.r.glClearColor(0, 0, 0, 1)
        s.r.glClear(0x4500)
        frame()
        s.r.swap()
    s.close()
    *_, last = Player(tmp_path / "a.trace").run()
    player = Player(tmp_path / "a.trace", FrameRange(3, 4))
    (alone,) = player.run()
    assert alone.pixels.tobytes() == last.pixels.tobytes()
    # The other texture and the windows before are not needed.
    assert player.dependencies.unneeded["clear"] >= 4
    assert player.dependencies.unneeded["draw"] >= 1
