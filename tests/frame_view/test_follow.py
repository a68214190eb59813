"""A frame operation by operation: outcomes, contents, state and calls, against plain readings."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.examples import examples
from tests.reference.random_state.batch import record as record_random
from tilegpu.functional.capture import CaptureError, Recorder
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.frame_view import outcomes as of
from tilegpu.functional.frame_view.contents import contents as after_each
from tilegpu.functional.frame_view.follow import FollowedFrame, follow_frame
from tilegpu.functional.frame_view.planes import DEPTH_MAX, changed
from tilegpu.functional.frame_view.state_text import state_groups
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

from .scenes import HOSTILE, SIDE, TRIANGLES, histories, record


@pytest.fixture(scope="module")
def frame(tmp_path_factory: pytest.TempPathFactory) -> FollowedFrame:
    return follow_frame(record(tmp_path_factory.mktemp("scene") / "scene.trace"), 0)


def contents(frame: FollowedFrame, kind: str, surface: int | None = None) -> list[np.ndarray]:
    """Content of the only plane of a kind after each operation, put together from the changes; 0 before the first."""
    (key,) = (k for k in frame.followed.planes if k.kind == kind and surface in (None, k.surface))
    seen = frame.followed.planes[key]
    nothing = np.zeros((seen.height, seen.width), np.uint32)
    return [planes.get(key, nothing).copy() for _, planes in after_each(frame.followed)]


def test_every_pixel_has_the_outcomes_of_every_draw(frame: FollowedFrame) -> None:
    expected = histories()
    draws = [operation.detail for operation in frame.followed.operations if operation.detail is not None]
    assert len(draws) == len(TRIANGLES)
    met = set()
    for number, detail in enumerate(draws):
        flags = np.zeros((SIDE, SIDE), np.uint8)
        x, y, box = detail.outcomes.x, detail.outcomes.y, detail.outcomes.flags
        flags[y : y + box.shape[0], x : x + box.shape[1]] = box
        plain = np.array([[expected[x, y][number][0] for x in range(SIDE)] for y in range(SIDE)])
        np.testing.assert_array_equal(flags, plain)
        assert detail.fragments == (plain == of.WRITTEN).sum()
        met |= set(plain.ravel().tolist())
    assert met == {0, *(1 << bit for bit in range(6))}


def test_contents_after_each_operation_are_those_of_a_plain_reading(frame: FollowedFrame) -> None:
    expected = histories()
    colors, depths, stencils = (contents(frame, kind) for kind in ("color", "depth", "stencil"))
    for number in range(len(TRIANGLES)):
        for (x, y), history in expected.items():
            pixel = history[number][1]
            red, green, blue = pixel.colour
            assert colors[number + 1][y, x] == red | green << 8 | blue << 16
            assert depths[number + 1][y, x] == round(pixel.depth * DEPTH_MAX)
            assert stencils[number + 1][y, x] == pixel.stencil


def test_groups_labels_and_state_belong_to_their_draws(frame: FollowedFrame) -> None:
    clear, *draws = frame.followed.operations
    assert (clear.kind, clear.title) == ("clear", "color0, depth, stencil")
    assert [draw.pass_number for draw in (clear, *draws)] == [0] * 6
    labels = [draw.detail.label for draw in draws]
    assert labels[1] == f"{HOSTILE} 1"
    assert [draw.detail.collisionable for draw in draws] == [True, False, True, True, True]
    by_number = {call.number: call for call in frame.calls}
    assert [by_number[draw.call].groups for draw in draws] == [(label,) for label in labels]
    states = [{(group, name): text for group, rows in state_groups(d.detail.row) for name, text in rows} for d in draws]
    assert states[2]["Rasterization", "scissor"] == "24x12 at 4, 4"
    assert [state["Depth", "tested"] for state in states] == ["after shading"] * 5
    assert states[1]["Stencil", "front"] == "EQUAL 0 & 0xff, KEEP/KEEP/INCR, write 0xff"
    values = {name: text for name, _, text in draws[2].detail.uniforms}
    assert values == {"z": "-0.75", "colour": "0, 0, 1, 1", "last": "17"}
    table = draws[0].detail.vertices
    assert table.columns == ("index", "p", "gl_Position") and table.total == 3
    assert table.rows[0] == ["0", "-0.859375, -0.796875", "-0.859375, -0.796875, -0.5, 1"]
    assert draws[0].detail.mesh.places.tolist() == [[18, 230], [166, 230], [18, 50]]
    # Clipping makes three triangles of one that reaches over two sides of the window.
    assert draws[4].detail.mesh.culled == {"face": 3}


def test_a_frame_without_a_clear_begins_with_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "kept.trace"
    with Recorder(path, 8, 8) as recorder:
        program = recorder.program(
            "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
            "precision mediump float; void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }",
            ("p",),
        )
        recorder.glUseProgram(program)
        recorder.glEnableVertexAttribArray(0)
        recorder.glClearColor(0, 1, 0, 1)
        recorder.glClear(gl.COLOR_BUFFER_BIT)
        recorder.swap()
        corners = np.array([-1, -1, 0, -1, -1, 0], np.float32)
        recorder.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, corners.tobytes())
        recorder.glDrawArrays(gl.TRIANGLES, 0, 3)
        recorder.swap()
    frame = follow_frame(path, 1)
    (after,) = contents(frame, "color")
    expected = np.full((8, 8), 0x00FF00)
    for row in range(4):
        expected[7 - row, : 3 - row] = 0x0000FF
    # Centres on the slanting edge may belong to either side.
    inside = np.array([[x + 7 - y != 3 for x in range(8)] for y in range(8)])
    np.testing.assert_array_equal(after[inside], expected[inside])
    with pytest.raises(CaptureError, match="2 frames"):
        follow_frame(path, 2)


def test_uniforms_of_all_types_have_their_values(tmp_path: Path) -> None:
    path = tmp_path / "uniforms.trace"
    with Recorder(path, 4, 4, version=3) as recorder:
        program = recorder.program(
            """#version 300 es
            in vec2 p; uniform mat3x2 m; uniform ivec2 i[2]; uniform bool b; uniform uint u;
            layout(std140) uniform Block { vec3 v; mat2 w; float f[2]; };
            void main() {
                vec2 at = m * vec3(p, 1.0) + vec2(i[0] + i[1]) + v.xy * f[1] + w[1];
                gl_Position = vec4(at, b ? float(u) : f[0], 1.0);
            }
            """,
            "#version 300 es\nprecision mediump float; out vec4 c; void main() { c = vec4(1.0); }",
            ("p",),
        )
        recorder.glUseProgram(program)
        place = recorder.glGetUniformLocation
        recorder.glUniformMatrix3x2fv(place(program, "m"), 1, False, np.arange(6, dtype=np.float32))
        recorder.glUniform2iv(place(program, "i"), 2, np.array([1, -2, 3, 4], np.int32))
        recorder.glUniform1i(place(program, "b"), 7)
        recorder.glUniform1ui(place(program, "u"), 3_000_000_000)
        buffer = recorder.glGenBuffers(1)[0]
        data = np.array([1, 2, 3, 0, 4, 5, 0, 0, 6, 7, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0], np.float32)
        recorder.glBindBufferBase(gl.UNIFORM_BUFFER, 0, buffer)
        recorder.glBufferData(gl.UNIFORM_BUFFER, data.nbytes, data, 0x88E4)
        recorder.glUniformBlockBinding(program, recorder.glGetUniformBlockIndex(program, "Block"), 0)
        recorder.glDrawArrays(gl.POINTS, 0, 1)
        recorder.swap()
    (draw,) = follow_frame(path, 0).followed.operations
    assert {name: (kind, value) for name, kind, value in draw.detail.uniforms} == {
        "m": ("mat3x2", "0, 2, 4\n1, 3, 5"),
        "i[0]": ("ivec2", "1, -2"),
        "i[1]": ("ivec2", "3, 4"),
        "b": ("bool", "true"),
        "u": ("uint", "3000000000"),
        "Block: v": ("vec3", "1, 2, 3"),
        "Block: w": ("mat2", "4, 6\n5, 7"),
        "Block: f[0]": ("float", "8"),
        "Block: f[1]": ("float", "9"),
    }


def test_passes_to_textures_have_planes_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "textures.trace"
    with Recorder(path, 8, 8, version=3) as recorder:
        texture = recorder.glGenTextures(1)[0]
        recorder.glBindTexture(gl.TEXTURE_2D, texture)
        recorder.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 4, 4)
        name = recorder.glGenFramebuffers(1)[0]
        recorder.glBindFramebuffer(gl.FRAMEBUFFER, name)
        recorder.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        recorder.glInsertEventMarkerEXT(0, "here")
        recorder.glClearColor(1, 0, 0, 1)
        recorder.glClear(gl.COLOR_BUFFER_BIT)
        recorder.glEnable(gl.SCISSOR_TEST)
        recorder.glScissor(0, 0, 2, 1)
        recorder.glClearColor(0, 0, 1, 0)
        recorder.glClear(gl.COLOR_BUFFER_BIT)
        recorder.glDisable(gl.SCISSOR_TEST)
        recorder.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
        recorder.glBlitFramebuffer(0, 0, 4, 4, 2, 2, 6, 6, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        recorder.swap()
    frame = follow_frame(path, 0)
    first, second, blit = frame.followed.operations
    assert [operation.kind for operation in (first, second, blit)] == ["clear", "clear", "blit"]
    assert [frame.followed.planes[key].label for key in first.planes] == ["framebuffer 1 colour", "framebuffer 1 alpha"]
    assert [call.marker for call in frame.calls if call.marker] == ["here"]
    surface, window = first.planes[0].surface, blit.planes[0].surface
    red, blue = 0x0000FF, 0xFF0000
    small = np.full((4, 4), red)
    small[3, :2] = blue
    np.testing.assert_array_equal(contents(frame, "color", surface)[1], small)
    np.testing.assert_array_equal(contents(frame, "alpha", surface)[1], np.where(small == red, 255, 0))
    shown = contents(frame, "color", window)[2]
    np.testing.assert_array_equal(shown[2:6, 2:6], small)
    assert (shown != 0).sum() == 16


PLANES = arrays.arrays(np.uint32, (5, 7), elements=st.sampled_from([0, 1, 0xFFFFFF]))


@given(PLANES, PLANES)
def test_a_change_turns_the_first_content_into_the_second(before: np.ndarray, after: np.ndarray) -> None:
    delta = changed(before, after)
    if delta is None:
        np.testing.assert_array_equal(before, after)
        return
    different = before != after
    height, width = delta.pixels.shape[:2]
    box = slice(delta.y, delta.y + height), slice(delta.x, delta.x + width)
    np.testing.assert_array_equal(delta.pixels[..., 3] == 255, different[box])
    assert different[box].sum() == different.sum()
    for edge in (different[box][0], different[box][-1], different[box][:, 0], different[box][:, -1]):
        assert edge.any()
    values = delta.pixels[..., :3].astype(int) @ [1, 256, 65536]
    np.testing.assert_array_equal(values[different[box]], after[different])


def test_random_states_are_followed_without_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "random.trace"
    record_random(path, range(examples(32, 64)))
    frame = follow_frame(path, 0)
    (rendered,) = Player(path, FrameRange(0, 1)).run()
    window = next(seen.key for seen in frame.followed.planes.values() if seen.label == "window colour")
    last = contents(frame, "color", window.surface)[-1]
    np.testing.assert_array_equal(last, rendered.pixels.astype(np.uint32) @ np.array([1, 256, 65536], np.uint32))
    met = 0
    for operation in frame.followed.operations:
        if operation.kind != "draw":
            continue
        for key, delta in operation.changes:
            outcomes, seen = operation.detail.outcomes, frame.followed.planes[key]
            flags = np.zeros((seen.height, seen.width), np.uint8)
            height, width = outcomes.packed.shape
            flags[outcomes.y : outcomes.y + height, outcomes.x : outcomes.x + width] = outcomes.flags
            box = flags[delta.y : delta.y + delta.size[1], delta.x : delta.x + delta.size[0]]
            may = of.WRITTEN | (of.DEPTH_FAILED | of.STENCIL_FAILED if key.kind == "stencil" else 0)
            assert (box[delta.pixels[..., 3] > 0] & may).all(), (operation.title, key)
            met |= int(np.bitwise_or.reduce(flags, None))
    assert {of.WRITTEN, of.DEPTH_FAILED, of.STENCIL_FAILED} <= {1 << bit for bit in range(7) if met >> bit & 1}
