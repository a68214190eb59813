"""Some draws of a frame, trimmed out of it, write what they wrote in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import CaptureError, Recorder, Trace
from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_numbers import FrameNumbers
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.functional.trimming import trim
from tilegpu.functional.work_numbers import WorkNumbers

from ..dependencies.streams import record_random
from .test_trim import names

FRAMES = 4


def quads_of_draws(trace: Path, folder: Path, frame: int) -> dict[int, list[dict[str, Any]]]:
    """Quads of each draw of a frame, with their colours, by its number among draws and dispatches."""
    record(trace, folder, FrameRange(frame, frame + 1), "all", groups=frozenset({"colors"}))
    activity = Activity(folder)
    primitives = activity.frame("primitives", frame).to_pylist()
    numbers = {row["draw"]: row["number"] for row in activity.frame("draws", frame).to_pylist()}
    draws = {number: list[dict[str, Any]]() for number in numbers.values()}
    of_primitive = {row["primitive"]: row["draw"] for row in primitives}
    for row in activity.frame("quads", frame).to_pylist():
        place = {name: row[name] for name in ("x", "y", "coverage", "depth_pass", "discarded", "colors")}
        draws[numbers[of_primitive[row["primitive"]]]].append(place)
    return draws


def listed_draws(trace: Path, frame: int) -> list[int]:
    """Numbers of the draws of a frame, as `dump` lists them."""
    works = WorkNumbers()
    frames, numbers = FrameNumbers("swap", every_call=True, listener=works), set[int]()
    for call in Trace(trace):
        if frames.follow(call) == frame and works.latest[0] == call.number:
            numbers |= {int(work.split()[1]) for work in works.latest[1] if work.startswith("draw")}
    return sorted(numbers)


@given(seed=st.integers(0, 1 << 30), choice=st.integers(0, 1 << 10))
@settings(max_examples=examples(6, 200))
def test_draws_of_random_streams(tmp_path_factory: pytest.TempPathFactory, seed: int, choice: int) -> None:
    folder = tmp_path_factory.mktemp("random")
    record_random(folder / "a.trace", seed, FRAMES)
    whole = quads_of_draws(folder / "a.trace", folder / "whole", FRAMES - 1)
    # Contents that only the GPU writes may make draws valid that listing the calls takes for invalid, or the reverse.
    assume(whole and list(whole) == listed_draws(folder / "a.trace", FRAMES - 1))
    works = max(whole) + 1
    first = choice % works
    last = first + 1 + choice // works % (works - first)
    trim(folder / "a.trace", folder / "b.trace", FrameRange(FRAMES - 1, FRAMES), draws=FrameRange(first, last))
    some = quads_of_draws(folder / "b.trace", folder / "some", 0)
    wanted = [quads for number, quads in whole.items() if first <= number < last]
    # Draws of earlier frames that these depend on come before them.
    assert list(some.values())[len(some) - len(wanted) :] == wanted


@pytest.mark.parametrize(("first", "last"), [(0, 1), (5, 6), (19, 21), (21, 22)])
def test_draws_of_a_bundled_scene(scenes: Path, tmp_path: Path, first: int, last: int) -> None:
    path = scenes / "courtyard.trace"
    whole = quads_of_draws(path, tmp_path / "whole", 3)
    trim(path, tmp_path / "b.trace", FrameRange(3, 4), draws=FrameRange(first, last))
    some = quads_of_draws(tmp_path / "b.trace", tmp_path / "some", 0)
    # All of its draws test depth, so that those before them stay.
    assert list(some.values()) == list(whole.values())[:last]


def _layers(path: Path) -> None:
    """A frame of four draws: one into a texture, two opaque ones without depth, and a blended one with the texture."""
    with Recorder(path, 16, 16) as r:
        plain = r.program(
            "attribute vec4 p; void main() { gl_Position = p; }",
            "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }",
            ("p",),
        )
        textured = r.program(
            "attribute vec4 p; void main() { gl_Position = p; }",
            "precision mediump float; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }",
            ("p",),
        )
        color = r.glGetUniformLocation(plain, "c")
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        framebuffer = r.glGenFramebuffers(1)[0]
        r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 0)
        corners = np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes()
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, len(corners), corners, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, 0)
        r.glUseProgram(plain)
        r.glUniform4f(color, 1.0, 0.5, 0.25, 0.5)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        r.glClear(gl.COLOR_BUFFER_BIT)
        for red in (0.25, 0.75):
            r.glUniform4f(color, red, 0.0, 0.0, 1.0)
            r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.glEnable(gl.BLEND)
        r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        r.glUseProgram(textured)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()


@pytest.mark.parametrize(
    ("draws", "kept"),
    [
        # Opaque draws without a depth test need nothing of what was there before.
        ((1, 2), [1]),
        ((2, 3), [2]),
        # The blended one needs its texture and what it is blended with, in turn all that lies below.
        ((3, 4), [0, 1, 2, 3]),
        ((0, 1), [0]),
        ((0, 2), [0, 1]),
    ],
)
def test_what_draws_depend_on(tmp_path: Path, draws: tuple[int, int], kept: list[int]) -> None:
    _layers(tmp_path / "a.trace")
    whole = quads_of_draws(tmp_path / "a.trace", tmp_path / "whole", 0)
    trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange(0, 1), draws=FrameRange(*draws))
    some = quads_of_draws(tmp_path / "b.trace", tmp_path / "some", 0)
    assert list(some.values()) == [whole[number] for number in kept]
    assert names(tmp_path / "b.trace")["glClear"] == (draws == (3, 4))


def test_draws_that_are_not_there(tmp_path: Path) -> None:
    _layers(tmp_path / "a.trace")
    with pytest.raises(CaptureError, match="frame 0 has 4 draws and dispatches, so there is no 4"):
        trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange(0, 1), draws=FrameRange(2, 5))
    with pytest.raises(UserError, match="draws are those of one frame"):
        trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange(0, None), draws=FrameRange(0, 1))
    assert not (tmp_path / "b.trace").exists()
