"""Colours are left out where nothing else depends on them, and the counts are still those of the full activity."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np
import pytest

from tests.quick import quick_ones
from tilegpu.functional.capture import Recorder
from tilegpu.functional.characterize.count import Options
from tilegpu.functional.characterize.counter import Colors, DrawCounter
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.listener import CharacterizingListener
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.characterize.used_blocks import KINDS
from tilegpu.functional.dependencies.left_out import ColorsNeeded
from tilegpu.functional.dependencies.observer import Observer
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import enums as gl
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


def count(trace: Path, colors: Colors) -> list[dict[str, list[dict[str, object]]]]:
    """Rows frame by frame; ColorsNeeded where something depends on colours that are left out."""
    counter = DrawCounter(TileSize(*TILE), colors=colors)
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
        count(tmp_path / "game.trace", colors="none")
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
    assert count(tmp_path / "game.trace", colors="none") == count(tmp_path / "game.trace", colors="all")


IMAGE = "#version 300 es\nprecision highp float; in vec2 place; uniform sampler2D s; out vec4 o;"
SHOWING = IMAGE + "void main() { o = texture(s, place) / float(textureSize(s, 0).x); }"
LOOKING_UP = IMAGE.replace("s;", "s; uniform sampler2D t;") + "void main() { o = texture(t, texture(s, place).xy); }"
FROM_TEXELS = (
    "#version 300 es\nprecision highp float; layout(location = 0) in vec4 v; uniform sampler2D s; uniform vec4 tint;"
    "out vec2 place; void main() {"
    " place = v.xy; gl_Position = vec4(v.xy * 2.0 - textureLod(s, v.xy, 0.0).xy, tint.w - 0.5, 1.0); }"
)


def drawn_image(g: Game) -> int:
    """Draw the image of the texture, in a framebuffer of its own; its name."""
    r, name = g.r, g.r.glGenFramebuffers(1)[0]
    r.glBindFramebuffer(gl.FRAMEBUFFER, name)
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 0)
    g.draw(g.plain, 0.7)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    return name


def shown(g: Game) -> None:
    """Draw with an image where only colours depend on it, and its size."""
    g.draw(g.r.program(VERTEX, SHOWING), 0.6)


def looked_up(g: Game) -> None:
    """Draw with coordinates from an image."""
    g.draw(g.r.program(VERTEX, LOOKING_UP), 0.6)


def decided(g: Game) -> None:
    """Draw what an image discards."""
    g.draw(g.deciding, 0.6)


def placed(g: Game) -> None:
    """Draw vertices that an image moves."""
    g.draw(g.r.program(FROM_TEXELS, SHOWING), 0.6)


def copied_twice(g: Game) -> None:
    """Copy an image to another texture, which discards, and back to a third."""
    r = g.r
    r.glBindFramebuffer(gl.FRAMEBUFFER, 1)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glCopyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, SIZE, SIZE, 0)
    r.glGenerateMipmap(gl.TEXTURE_2D)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    g.draw(g.deciding, 0.6)


USES = {shown: False, looked_up: True, decided: True, placed: True, copied_twice: True}


@pytest.mark.parametrize("use", USES)
def test_an_image_that_is_used(tmp_path: Path, use: Callable[[Game], None]) -> None:
    """For colours, or for more than these."""
    g = Game(tmp_path / "game.trace")
    g.draw(g.plain, 0.7)
    g.r.swap()
    drawn_image(g)
    g.clear()
    use(g)
    g.r.swap()
    g.r.close()
    with pytest.raises(ColorsNeeded) if USES[use] else nullcontext():
        count(tmp_path / "game.trace", colors="none")
    assert count(tmp_path / "game.trace", colors="images") == count(tmp_path / "game.trace", colors="all")
    check(tmp_path / "game.trace", tmp_path)


def test_random_streams(tmp_path: Path) -> None:
    """Of draws, clears, copies, blits and reads: the counts are the same as with colours, or it is known that not."""
    levels: tuple[Colors, ...] = "none", "images"
    left_out = dict.fromkeys(levels, 0)
    for seed in range(24):
        # Of long ones, something depends on nearly all images.
        record_random(tmp_path / "random.trace", seed, 6 if seed < 10 else 1)
        expected = count(tmp_path / "random.trace", colors="all")
        for colors in levels:
            with suppress(ColorsNeeded):
                assert count(tmp_path / "random.trace", colors=colors) == expected
                left_out[colors] += 1
    assert all(0 < number < 24 for number in left_out.values())


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
    "level": "o = textureLod(s, {0}, 1.3) + texture(t, place);",
    "fetch": "o = texture(s, {0}) * texelFetch(t, ivec2(place * 9.0), 1) / float(textureSize(t, 0).x);",
    "loop": "for (float i = 0.1; i < 7.0 * tint.w * place.x; i += 0.5) o += texture(s, {0}) * texture(t, i * place);",
    "switch": "switch (int(9.0 * place.x)) {{ case 1: o = texture(s, {0}); break; case 2: o = texture(t, place); }}",
    "branch of branches": "if (place.x > 0.3) {{ vec4 c = texture(t, place); if (c.y > 0.4) o = texture(s, {0}); }}",
}


@pytest.mark.parametrize("kind", quick_ones(SAMPLERS, ("sampler2D", "samplerCube")))
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
            declared = f"in vec2 place; out vec4 o; uniform {kind} s; uniform sampler2D t; uniform vec4 tint;"
            program = r.program(VERTEX, HEAD + declared + "void main() { " + text + " }")
            r.glUseProgram(program)
            r.glUniform1i(r.glGetUniformLocation(program, "t"), 1)
            r.glUniform4f(r.glGetUniformLocation(program, "tint"), 0, 0, 0, 0.4)
            r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
            r.swap()
    count(tmp_path / "a.trace", colors="none")
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
