"""Changes of captured frames: what they write, what they leave as it was, and where they are refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.tools.what_if.captured import CapturedFrame
from tilegpu.tools.what_if.catalogue import transformations
from tilegpu.tools.what_if.declare import RefusedError

from .scenes import PLAIN, TEXTURED, WHOLE, Scene, changed, names_of, opened

BY_NAME = {each.name: each for each in transformations()}
RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
NOISE = np.random.default_rng(5).integers(0, 256, (16, 16, 4), np.uint8)
NOISE[..., 3] = 255
GRADIENT = np.zeros((16, 16, 4), np.uint8)
GRADIENT[..., 0], GRADIENT[..., 1], GRADIENT[..., 3] = np.arange(16) * 16, np.arange(16)[:, None] * 16, 255


def stacked(path: Path, depths: tuple[float, ...], blend_last: bool = False) -> Scene:
    """Boxes in the middle of each other, in red, green and blue, at some depths."""
    scene = Scene(path, PLAIN)
    for number, depth in enumerate(depths):
        if blend_last and number == len(depths) - 1:
            scene.gl.glEnable(gl.BLEND)
            scene.gl.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        edge = 1.0 - 0.25 * number
        scene.box((-edge, -edge, edge, edge), depth, (RED, GREEN, BLUE)[number])
    scene.end()
    return scene


def textures_of(frame: CapturedFrame) -> Mapping[int, Texture]:
    """Textures of the only group."""
    (group,) = frame.textures.values()
    return group


def depths_of(frame: CapturedFrame) -> list[float]:
    return [state["depth"] for state in frame.states.values()]


def test_opaque_draws_go_from_front_to_back(tmp_path: Path) -> None:
    scene = stacked(tmp_path / "a.trace", (0.5, 0.0, -0.5))
    frame, before = opened(scene.path)
    # Depths in the window are half of these and a half.
    assert depths_of(frame) == pytest.approx([0.75, 0.5, 0.25])
    after, picture = changed(frame, BY_NAME["front_to_back"].apply, None)
    assert depths_of(after) == pytest.approx([0.25, 0.5, 0.75])
    assert (picture == before).all()
    # Three rings of colours: each draw has its own box and colour.
    assert [tuple(picture[8, x]) for x in (0, 3, 8)] == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]


def test_a_blended_draw_stays_behind_what_it_covers(tmp_path: Path) -> None:
    scene = stacked(tmp_path / "a.trace", (0.0, 0.5, -0.5), blend_last=True)
    frame, before = opened(scene.path)
    with pytest.raises(RefusedError, match="in order"):
        BY_NAME["front_to_back"].apply(frame, None)
    scene = stacked(tmp_path / "b.trace", (0.5, 0.0, -0.5), blend_last=True)
    frame, before = opened(scene.path)
    after, picture = changed(frame, BY_NAME["front_to_back"].apply, None)
    assert depths_of(after) == pytest.approx([0.5, 0.75, 0.25]) and after.states[2]["blend_enabled"]
    assert (picture == before).all()


def test_uploads_between_draws_part_them(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", PLAIN)
    scene.box(WHOLE, 0.5, RED)
    scene.gl.glBufferSubData(gl.ARRAY_BUFFER, 0, 8, np.zeros(2, np.float32))
    scene.box(WHOLE, 0.0, GREEN)
    scene.end()
    with pytest.raises(RefusedError):
        BY_NAME["front_to_back"].apply(opened(scene.path)[0], None)


def textured(path: Path, texels: np.ndarray, min_filter: int = gl.LINEAR, box: tuple[float, ...] = WHOLE) -> Scene:
    """A box with a texture, and another texture that is bound behind it."""
    scene = Scene(path, TEXTURED)
    scene.texture(texels, min_filter)
    scene.box(box, 0.0)
    scene.texture(texels[:1, :1])
    scene.end()
    return scene


def test_half_textures_are_means_of_two_by_two(tmp_path: Path) -> None:
    frame, _ = opened(textured(tmp_path / "a.trace", NOISE).path)
    after, _ = changed(frame, BY_NAME["half_textures"].apply, 0)
    halved = textures_of(after)[1].images[0, 0]
    exact = NOISE.astype(np.float64).reshape(8, 2, 8, 2, 4).mean(axis=(1, 3))
    assert halved.shape == (8, 8, 4) and np.abs(halved - exact).max() <= 0.5
    # The other one, bound later, is as it was.
    assert textures_of(after)[2].images[0, 0].shape == (1, 1, 4)


def test_half_textures_drop_the_first_level(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", TEXTURED)
    scene.texture(NOISE, gl.LINEAR_MIPMAP_LINEAR)
    scene.gl.glGenerateMipmap(gl.TEXTURE_2D)
    scene.box(WHOLE, 0.0)
    scene.end()
    frame, _ = opened(scene.path)
    after, _ = changed(frame, BY_NAME["half_textures"].apply, 0)
    assert textures_of(after)[1].levels() == 4
    for level in range(4):
        assert (textures_of(after)[1].images[level, 0] == textures_of(frame)[1].images[level + 1, 0]).all()


def test_textures_of_fixed_storage_are_made_anew(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", TEXTURED, version=3)
    (name,) = scene.gl.glGenTextures(1)
    scene.gl.glBindTexture(gl.TEXTURE_2D, name)
    scene.gl.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 16, 16)
    scene.gl.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, GRADIENT)
    scene.gl.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    scene.gl.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT)
    scene.box(WHOLE, 0.0)
    scene.end()
    frame, _ = opened(scene.path)
    after, picture = changed(frame, BY_NAME["half_textures"].apply, 0)
    assert textures_of(after)[name].images[0, 0].shape == (8, 8, 4)
    assert textures_of(after)[name].sampling.wrap_s == gl.MIRRORED_REPEAT
    # Red rises by 16 from texel to texel: means of two are 8, 40, … 232; the box shows the texture once.
    assert 0 < int(picture[0, 0, 0]) < 40 and int(picture[0, 15, 0]) > 210


def test_mipmaps_are_read_where_they_were_not(tmp_path: Path) -> None:
    # 16 texels on 2 pixels: level 3 is read, of which each texel is the mean of 8x8.
    frame, _ = opened(textured(tmp_path / "a.trace", NOISE, gl.NEAREST, (-0.125, -0.125, 0.125, 0.125)).path)
    after, picture = changed(frame, BY_NAME["mipmaps"].apply, 0)
    assert (
        textures_of(after)[1].levels() == 5 and textures_of(after)[1].sampling.min_filter == gl.NEAREST_MIPMAP_NEAREST
    )
    exact = NOISE.astype(np.float64).reshape(2, 8, 2, 8, 4).mean(axis=(1, 3))[::-1, :, :3]
    # Each of three levels is rounded.
    assert np.abs(picture[7:9, 7:9] - exact).max() <= 2
    with pytest.raises(RefusedError, match="with mipmaps"):
        BY_NAME["mipmaps"].apply(after, 0)


@pytest.mark.parametrize(
    "name, version, format_", [("etc2", 2, "ETC1_RGB8"), ("etc2", 3, "ETC2_RGB8"), ("astc", 2, "ASTC_6x6")]
)
def test_textures_are_compressed(tmp_path: Path, name: str, version: int, format_: str) -> None:
    scene = Scene(tmp_path / "a.trace", TEXTURED, version=version)
    scene.texture(GRADIENT)
    scene.box(WHOLE, 0.0)
    scene.end()
    frame, before = opened(scene.path)
    after, picture = changed(frame, BY_NAME[name].apply, 0)
    stored = textures_of(after)[1].format
    assert stored is not None and stored.name == format_
    # A gradient has steps of 16, and blocks have 4 steps of brightness.
    assert np.abs(picture.astype(int) - before).max() <= 40 and (picture != before).any()
    with pytest.raises(RefusedError, match="is compressed"):
        BY_NAME[name].apply(after, 0)


def test_transparent_textures_are_not_stored_without_alpha(tmp_path: Path) -> None:
    texels = GRADIENT.copy()
    texels[3, 5, 3] = 254
    frame, _ = opened(textured(tmp_path / "a.trace", texels).path)
    with pytest.raises(RefusedError, match="transparent"):
        BY_NAME["etc2"].apply(frame, 0)


def test_textures_that_are_drawn_are_left_alone(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", TEXTURED)
    name = scene.texture(NOISE)
    (target,) = scene.gl.glGenFramebuffers(1)
    scene.gl.glBindFramebuffer(gl.FRAMEBUFFER, target)
    scene.gl.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    scene.gl.glClear(gl.COLOR_BUFFER_BIT)
    scene.gl.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    scene.box(WHOLE, 0.0)
    scene.end()
    frame, _ = opened(scene.path)
    for change in ("half_textures", "mipmaps", "etc2", "astc"):
        with pytest.raises(RefusedError, match="drawn or copied"):
            BY_NAME[change].apply(frame, 0)


def test_shaders_that_count_texels_keep_their_textures(tmp_path: Path) -> None:
    fragment = """#version 300 es
        precision highp float;
        uniform sampler2D image;
        out vec4 color;
        void main() { color = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }
        """
    scene = Scene(tmp_path / "a.trace", TEXTURED, version=3)
    vertex = "#version 300 es\nin vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }"
    scene.gl.glUseProgram(scene.gl.program(vertex, fragment, ("place",)))
    scene.texture(NOISE)
    scene.gl.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    scene.end()
    frame, _ = opened(scene.path)
    with pytest.raises(RefusedError, match="texelFetch"):
        BY_NAME["half_textures"].apply(frame, 0)


def test_a_draw_is_left_out(tmp_path: Path) -> None:
    frame, _ = opened(stacked(tmp_path / "a.trace", (0.5, 0.0, -0.5)).path)
    after, picture = changed(frame, BY_NAME["leave_out"].apply, 1)
    assert depths_of(after) == pytest.approx([0.75, 0.25])
    assert [tuple(picture[8, x]) for x in (0, 3, 8)] == [(255, 0, 0), (255, 0, 0), (0, 0, 255)]


def test_blending_goes_off_for_one_draw(tmp_path: Path) -> None:
    frame, before = opened(stacked(tmp_path / "a.trace", (0.5, 0.0, -0.5), blend_last=True).path)
    after, picture = changed(frame, BY_NAME["blend_off"].apply, 2)
    assert not after.states[2]["blend_enabled"] and (picture == before).all()
    with pytest.raises(RefusedError, match="does not blend"):
        BY_NAME["blend_off"].apply(frame, 0)


def test_what_adds_up_goes_on_blending(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", PLAIN)
    scene.gl.glEnable(gl.BLEND)
    scene.gl.glBlendFunc(gl.ONE, gl.ONE)
    scene.box(WHOLE, 0.0, RED)
    scene.end()
    with pytest.raises(RefusedError, match="ONE"):
        BY_NAME["blend_off"].apply(opened(scene.path)[0], 0)


def test_windows_have_one_sample(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", PLAIN, {egl.SAMPLES: 4, egl.SAMPLE_BUFFERS: 1})
    scene.box((-1.0, -1.0, 0.05, 1.0), 0.0, RED)
    scene.end()
    frame, before = opened(scene.path)
    # The edge lies in a pixel of which some samples are red.
    assert 0 < int(before[8, 8, 0]) < 255
    after, picture = changed(frame, BY_NAME["one_sample"].apply, None)
    assert int(picture[8, 8, 0]) in (0, 255)
    with pytest.raises(RefusedError, match="one sample"):
        BY_NAME["one_sample"].apply(after, None)


def test_highp_becomes_mediump(tmp_path: Path) -> None:
    frame, before = opened(stacked(tmp_path / "a.trace", (0.0,)).path)
    after, picture = changed(frame, BY_NAME["mediump"].apply, 0)
    with pytest.raises(RefusedError, match="no highp"):
        BY_NAME["mediump"].apply(after, 0)
    assert (picture == before).all()


def offscreen(path: Path, clear_depth_each_time: bool) -> Scene:
    """A framebuffer with depth that is drawn to, left, and drawn to again."""
    scene = Scene(path, PLAIN, version=3)
    (target,) = scene.gl.glGenFramebuffers(1)
    buffers = scene.gl.glGenRenderbuffers(2)
    scene.gl.glBindFramebuffer(gl.FRAMEBUFFER, target)
    formats = (gl.RGBA8, gl.COLOR_ATTACHMENT0), (gl.DEPTH_COMPONENT16, gl.DEPTH_ATTACHMENT)
    for buffer, (format_, attachment) in zip(buffers, formats, strict=True):
        scene.gl.glBindRenderbuffer(gl.RENDERBUFFER, buffer)
        scene.gl.glRenderbufferStorage(gl.RENDERBUFFER, format_, 16, 16)
        scene.gl.glFramebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer)
    for number in range(2):
        scene.gl.glBindFramebuffer(gl.FRAMEBUFFER, target)
        if clear_depth_each_time or not number:
            scene.clear()
        scene.box(WHOLE, 0.0, RED)
        scene.gl.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        scene.box(WHOLE, 0.0, GREEN)
    scene.end()
    return scene


def test_depth_that_is_cleared_next_is_invalidated(tmp_path: Path) -> None:
    frame, before = opened(offscreen(tmp_path / "a.trace", True).path)
    after, picture = changed(frame, BY_NAME["invalidate"].apply, None)
    assert "glInvalidateFramebuffer" in names_of(after.path) and (picture == before).all()
    stored = [
        [each["store"] for each in render_pass["attachments"] if each["slot"] == "depth"]
        for render_pass in after.passes
    ]
    # The window's passes lie between them; its depth is read again.
    assert stored == [["store"], ["discard"], ["store"], ["discard"], ["discard"]]


def test_depth_that_is_read_later_is_stored(tmp_path: Path) -> None:
    frame, _ = opened(offscreen(tmp_path / "a.trace", False).path)
    after, _ = changed(frame, BY_NAME["invalidate"].apply, None)
    stored = [
        next(each["store"] for each in render_pass["attachments"] if each["slot"] == "depth")
        for render_pass in after.passes
    ]
    # The second one reads what the first one stored, and the next frame clears first.
    assert stored[1] == "store" and stored[3] == "discard"


def test_every_change_says_what_it_does() -> None:
    for each in transformations():
        assert each.title and each.may_change and each.title[0].islower()
