"""Colours of windows are left out where nothing reads them, and the counts are still those of the full activity."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.characterize.count import Options
from tilegpu.functional.characterize.counter import DrawCounter
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.listener import CharacterizingListener
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.characterize.used_blocks import KINDS
from tilegpu.functional.dependencies.left_out import ColorsNeeded
from tilegpu.functional.dependencies.observer import Observer
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.gles import enums as gl
from tilegpu.functional.pipeline.fused.counted_state import TileSize
from tilegpu.functional.player import Player

from ..dependencies.streams import SIZE, record_random
from .test_counts import TILE, check

HEAD = "#version 300 es\nprecision highp float; precision highp sampler3D; precision highp sampler2DArray;\n"
VERTEX = (
    HEAD + "layout(location = 0) in vec4 v; uniform vec4 tint; out vec2 place;"
    "void main() { place = v.xy; gl_Position = vec4(v.xy * 2.0 - 1.0 + 0.3 * fract(v.zw), tint.w - 0.5, 1.0); }"
)
PLAIN = HEAD + "in vec2 place; uniform vec4 tint; out vec4 o; void main() { o = fract(tint + 3.0 * place.xyxy); }"
DECIDING = HEAD + (
    "in vec2 place; uniform sampler2D s; out vec4 o;"
    "void main() { o = texture(s, place); if (o.x + o.y < 0.9) discard; }"
)
WHOLE = 0, 0, SIZE, SIZE


class Game:
    """A program that may use what its window shows."""

    def __init__(self, path: Path) -> None:
        self.r = r = Recorder(path, SIZE, SIZE, 3)
        self.plain, self.deciding = r.program(VERTEX, PLAIN), r.program(VERTEX, DECIDING)
        self.buffer, self.pixels = r.glGenBuffers(2)
        corners = np.array([(x, y, 0, 0) for x in (0, 1) for y in (0, 1)], np.float32)
        for name, data in ((self.pixels, np.zeros(4 * SIZE * SIZE, np.uint8)), (self.buffer, corners)):
            r.glBindBuffer(gl.ARRAY_BUFFER, name)
            r.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        r.glEnable(gl.DEPTH_TEST)

    def draw(self, program: int, depth: float) -> None:
        """Draw a quad over most of the window."""
        r = self.r
        r.glUseProgram(program)
        r.glUniform4f(r.glGetUniformLocation(program, "tint"), 0.1, 0.3, 0.6, depth)
        r.glBindBuffer(gl.ARRAY_BUFFER, self.buffer)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)

    def clear(self) -> None:
        """Clear the window."""
        self.r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)

    def depth(self) -> None:
        """Clear depths only."""
        self.r.glClear(gl.DEPTH_BUFFER_BIT)


def copied(g: Game) -> None:
    """Read the window by a copy to the texture that decides on fragments."""
    g.r.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, SIZE, SIZE)


def blitted(g: Game) -> None:
    """Read it by a blit."""
    r, name = g.r, g.r.glGenFramebuffers(1)[0]
    r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, name)
    r.glFramebufferTexture2D(gl.DRAW_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 0)
    r.glBlitFramebuffer(*WHOLE, *WHOLE, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)


def read_as_vertices(g: Game) -> None:
    """Read it into a buffer, whose bytes are places of vertices."""
    r = g.r
    r.glBindBuffer(gl.PIXEL_PACK_BUFFER, g.pixels)
    r.glReadPixels(*WHOLE, gl.RGBA, gl.UNSIGNED_BYTE, None)
    r.glBindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    r.glUseProgram(g.plain)
    r.glBindBuffer(gl.ARRAY_BUFFER, g.pixels)
    r.glVertexAttribPointer(0, 4, gl.UNSIGNED_BYTE, True, 0, 0)
    r.glDrawArrays(gl.TRIANGLES, 0, SIZE * SIZE // 3 * 3)


READS = [copied, blitted, read_as_vertices]


def count(trace: Path, colors: bool) -> list[dict[str, list[dict[str, object]]]]:
    """Rows frame by frame; ColorsNeeded where colours that are left out are read."""
    counter = DrawCounter(TileSize(*TILE), window_colors=colors)
    listener = CharacterizingListener(counter, FrameRange())
    observer = Observer(FrameRange(), listener, counter.leaves_out_colors)
    return [listener.take() for _ in Player(trace, listener=listener, counter=counter, observer=observer).run()]


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("frame", [0, 2])
def test_a_window_that_is_read(tmp_path: Path, read: Callable[[Game], None], frame: int) -> None:
    """In its own frame, and after frames that it was drawn in without being cleared."""
    g = Game(tmp_path / "game.trace")
    for number in range(4):
        (g.clear if number != 2 else g.depth)()
        if number != 2:
            g.draw(g.plain, 0.7)
        if number == frame:
            read(g)
        g.draw(g.deciding, 0.6)
        g.r.swap()
    g.r.close()
    with pytest.raises(ColorsNeeded):
        count(tmp_path / "game.trace", colors=False)
    check(tmp_path / "game.trace", tmp_path)
    frames = Characterization(tmp_path / "counted").frames.to_pylist()
    # Fragments of the last frame depend on the texture, vertices of the one that reads on the pixels.
    assert frames[3]["fragments_shaded"] > 0
    characterize(tmp_path / "game.trace", tmp_path / "later", Options(FrameRange(1, 4), TILE))
    later = Characterization(tmp_path / "later").frames.to_pylist()
    # Which blocks are new depends on the frame that counting begins with.
    new = {kind.first_used: 0 for kind in KINDS}
    assert [row | new for row in later] == [row | new for row in frames[1:]]


def test_a_window_that_only_the_program_reads(tmp_path: Path) -> None:
    g = Game(tmp_path / "game.trace")
    for _ in range(2):
        g.clear()
        g.draw(g.plain, 0.7)
        g.r.glReadPixels(*WHOLE, gl.RGBA, gl.UNSIGNED_BYTE, np.zeros(4 * SIZE * SIZE, np.uint8))
        g.r.swap()
    g.r.close()
    assert count(tmp_path / "game.trace", colors=False) == count(tmp_path / "game.trace", colors=True)


def test_random_streams(tmp_path: Path) -> None:
    """Of draws, clears, copies, blits and reads: the counts are the same as with colours, or it is known that not."""
    left_out = 0
    for seed in range(12):
        record_random(tmp_path / "random.trace", seed, 6)
        with suppress(ColorsNeeded):
            assert count(tmp_path / "random.trace", colors=False) == count(tmp_path / "random.trace", colors=True)
            left_out += 1
    assert 0 < left_out < 12


SAMPLERS = {
    "sampler2D": (gl.TEXTURE_2D, "place * 3.0"),
    "samplerCube": (gl.TEXTURE_CUBE_MAP, "vec3(place - 0.5, 0.4)"),
    "sampler3D": (gl.TEXTURE_3D, "vec3(place * 2.0, place.x)"),
    "sampler2DArray": (gl.TEXTURE_2D_ARRAY, "vec3(place * 5.0, 3.0 * place.y)"),
}
BODIES = {
    "color": "o = texture(s, {0}) + texture(t, place);",
    "bias": "o = texture(s, {0}, 0.7) * texture(t, 4.0 * place);",
    "discard": "o = texture(s, {0}); if (texture(t, place).x < 0.5) discard;",
    "branch": "o = texture(t, place); if (place.x > 0.3) o += texture(s, {0});",
    "dependent": "o = texture(s, {0} + texture(t, place).xxx.{1});",
    "depth": "o = texture(s, {0}); gl_FragDepth = texture(t, 2.0 * place).x;",
}


@pytest.mark.parametrize("kind", SAMPLERS)
@pytest.mark.parametrize("anisotropy", [1, 4])
def test_texels_of_colors(tmp_path: Path, kind: str, anisotropy: int) -> None:
    """Which are counted though they are not read."""
    target, place = SAMPLERS[kind]
    with Recorder(tmp_path / "a.trace", 32, 24, 3) as r:
        for unit, of in ((0, target), (1, gl.TEXTURE_2D)):
            r.glActiveTexture(gl.TEXTURE0 + unit)
            upload(r, of)
            r.glTexParameteri(of, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR if unit else gl.NEAREST_MIPMAP_LINEAR)
            r.glTexParameterf(of, gl.TEXTURE_MAX_ANISOTROPY, float(anisotropy))
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        corners = np.array([(0, 0, 0, 0), (1, 0.1, 0, 0), (0.1, 1, 0.2, 0), (0.9, 0.8, 0, 0.9)], np.float32)
        r.glBufferData(gl.ARRAY_BUFFER, corners.nbytes, corners, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        r.glEnable(gl.DEPTH_TEST)
        for body in BODIES.values():
            text = body.format(place, "xy" if target == gl.TEXTURE_2D else "xyz")
            declared = f"in vec2 place; out vec4 o; uniform {kind} s; uniform sampler2D t;"
            program = r.program(VERTEX, HEAD + declared + "void main() { " + text + " }")
            r.glUseProgram(program)
            r.glUniform1i(r.glGetUniformLocation(program, "t"), 1)
            r.glUniform4f(r.glGetUniformLocation(program, "tint"), 0, 0, 0, 0.4)
            r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
            r.swap()
    count(tmp_path / "a.trace", colors=False)
    check(tmp_path / "a.trace", tmp_path)


def upload(r: Recorder, target: int) -> None:
    """A texture with mipmaps of random texels."""
    r.glBindTexture(target, r.glGenTextures(1)[0])
    texels = np.random.default_rng(target).integers(0, 256, (4, 8, 8, 4), np.uint8)
    if target == gl.TEXTURE_CUBE_MAP:
        for face in range(6):
            image = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face
            r.glTexImage2D(image, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels[face % 4])
    elif target == gl.TEXTURE_2D:
        r.glTexImage2D(target, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels[0])
    else:
        r.glTexImage3D(target, 0, gl.RGBA8, 8, 8, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    r.glGenerateMipmap(target)
