"""Trimmed captures show the pictures of the frames that they are made of, and hold little else."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.functional.capture import CaptureError, Recorder, Trace
from tilegpu.functional.capture.recorder import CONFIG, DISPLAY
from tilegpu.functional.comparison import read_image
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player
from tilegpu.functional.trimming import trim

from ..dependencies.streams import record_random
from ..gles.test_frames import Program, reds
from ..reference.scenes import TEXTURE, use

FRAMES = 8


def pictures(path: Path, first: int = 0, last: int | None = None) -> list[bytes]:
    """Frames of a stream, all rendered."""
    return [f.pixels.tobytes() for f in Player(path, FrameRange(first, last), from_start=True).run()]


def names(path: Path) -> Counter[str]:
    """Number of calls by name."""
    return Counter(call.name for call in Trace(path))


@given(seed=st.integers(0, 1 << 30), first=st.integers(0, 5))
@settings(max_examples=12)
def test_random_streams(tmp_path_factory: pytest.TempPathFactory, seed: int, first: int) -> None:
    folder = tmp_path_factory.mktemp("random")
    record_random(folder / "a.trace", seed, FRAMES)
    trim(folder / "a.trace", folder / "b.trace", FrameRange(first, first + 2))
    assert pictures(folder / "b.trace") == pictures(folder / "a.trace", first, first + 2)


@pytest.mark.slow
@given(seed=st.integers(0, 1 << 30), first=st.integers(0, 7))
@settings(max_examples=300)
def test_many_random_streams(tmp_path_factory: pytest.TempPathFactory, seed: int, first: int) -> None:
    folder = tmp_path_factory.mktemp("random")
    record_random(folder / "a.trace", seed, FRAMES)
    trim(folder / "a.trace", folder / "b.trace", FrameRange(first, first + 1))
    assert pictures(folder / "b.trace") == pictures(folder / "a.trace", first, first + 1)


@pytest.mark.parametrize("name", ["board", "courtyard", "runner", "sprites", "compute/particles", "compute/life"])
def test_bundled_scenes(scenes: Path, tmp_path: Path, name: str) -> None:
    path = scenes / f"{name}.trace"
    last = min(len(pictures(path)) - 1, 6)
    trim(path, tmp_path / "b.trace", FrameRange(last, last + 1))
    assert pictures(tmp_path / "b.trace") == pictures(path, last, last + 1)


def _streaming(path: Path) -> None:
    """A program that sets a uniform and uploads vertices and texels anew for every frame."""
    random = np.random.default_rng(1)
    with Recorder(path, 16, 16) as r:
        program = use(r, TEXTURE)
        shift = r.glGetUniformLocation(program, "shift")
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, 96, None, gl.STATIC_DRAW)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
        for frame in range(FRAMES):
            data = random.uniform(0, 1, (3, 8)).astype(np.float32)
            r.glBufferSubData(gl.ARRAY_BUFFER, 0, data.nbytes, data)
            for location in (0, 1):
                r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
            texels = random.integers(0, 256, (4, 4, 4), np.uint8)
            r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, texels)
            r.glUniform4f(shift, -0.5, -0.5, 0, frame / 8)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glDrawArrays(gl.TRIANGLES, 0, 3)
            r.glGetError()
            r.swap()


def test_what_is_overwritten_is_gone(tmp_path: Path) -> None:
    """Of the frames before, what is stored last stays, and nothing is drawn."""
    path = tmp_path / "a.trace"
    _streaming(path)
    done = trim(path, tmp_path / "b.trace", FrameRange(6, 7))
    assert pictures(tmp_path / "b.trace") == pictures(path, 6, 7)
    found = names(tmp_path / "b.trace")
    for name in ("glBufferSubData", "glTexSubImage2D", "glUniform4f"):
        assert found[name] == 2
    assert found["glVertexAttribPointer"] == 4
    for name in ("glDrawArrays", "glClear", "eglSwapBuffers", "glGetError"):
        assert found[name] == 1
    assert done.frames == 1
    assert done.calls == (names(path).total(), found.total())
    assert done.size_bytes == (path.stat().st_size, (tmp_path / "b.trace").stat().st_size)


def test_uploads_that_an_operation_needs_stay(tmp_path: Path) -> None:
    """The window is never cleared, so each frame shows what was drawn with each upload."""
    path = tmp_path / "a.trace"
    with Recorder(path, 16, 16) as r:
        use(r)
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
        for frame in range(4):
            data = np.random.default_rng(frame).uniform(-1, 1, (3, 8)).astype(np.float32)
            data[:, 3] = 1
            r.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, gl.STATIC_DRAW)
            r.glDrawArrays(gl.TRIANGLES, 0, 3)
            r.swap()
    trim(path, tmp_path / "b.trace", FrameRange(3, 4))
    assert pictures(tmp_path / "b.trace") == pictures(path, 3, 4)
    assert names(tmp_path / "b.trace")["glBufferData"] == 4


def test_uploads_to_deleted_objects_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    with Recorder(path, 8, 8) as r:
        for red in (0.2, 0.4):
            texture, buffer = r.glGenTextures(1)[0], r.glGenBuffers(1)[0]
            r.glBindTexture(gl.TEXTURE_2D, texture)
            r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
            r.glBindBuffer(gl.ARRAY_BUFFER, buffer)
            r.glBufferData(gl.ARRAY_BUFFER, 8, bytes(8), gl.STATIC_DRAW)
            r.glDeleteTextures(1, [texture])
            r.glDeleteBuffers(1, [buffer])
            r.glClearColor(red, 0, 0, 1)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.swap()
    trim(path, tmp_path / "b.trace", FrameRange(1, 2))
    found = names(tmp_path / "b.trace")
    assert (found["glTexImage2D"], found["glBufferData"]) == (1, 1)
    assert pictures(tmp_path / "b.trace") == pictures(path, 1, 2)


def test_all_frames_are_all_calls(tmp_path: Path) -> None:
    _streaming(tmp_path / "a.trace")
    trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange())
    assert list(Trace(tmp_path / "b.trace")) == list(Trace(tmp_path / "a.trace"))


def test_frames_that_end_at_flushes(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace", (egl.RENDER_BUFFER, egl.SINGLE_BUFFER)) as r:
        r.glViewport(0, 0, 8, 4)
        for red in (0.2, 0.4, 0.6, 0.8):
            r.glFlush()
            r.fill(red)
            r.glFlush()
            r.glFlush()
    trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange(1, 3))
    assert reds(Player(tmp_path / "b.trace")) == [102, 153]


def test_null_results_stay(tmp_path: Path, apitrace: str) -> None:
    """apitrace's replayer crashes at a call that returned a null pointer if it has no result."""
    with Recorder(tmp_path / "a.trace", 8, 8) as r:
        r._record("eglCreateContext", [DISPLAY, CONFIG, None, [egl.CONTEXT_CLIENT_VERSION, 9, egl.NONE]], None)
        r.glClear(gl.COLOR_BUFFER_BIT)
        r.swap()
    trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange(0, 1))
    command = [apitrace, "dump", "--color=never", str(tmp_path / "b.trace")]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    results = [line.rpartition(" = ")[2] for line in dump if "eglCreateContext" in line]
    assert results == ["0x1020", "NULL"]
    assert not any("=" in line.rpartition(")")[2] for line in dump if " glClear(" in line)


def _on_softpipe(trace: Path, folder: Path, eglretrace: str) -> list[np.ndarray]:
    folder.mkdir()
    software = {"WAFFLE_PLATFORM": "surfaceless_egl", "LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"}
    command = [eglretrace, "--headless", "-s", str(folder / "frame_"), str(trace)]
    subprocess.run(command, env={**os.environ, **software}, check=True, capture_output=True)
    return [read_image(path) for path in sorted(folder.glob("frame_*.png"))]


def test_mesa_draws_the_same(scenes: Path, tmp_path: Path, eglretrace: str) -> None:
    path = scenes / "runner.trace"
    short, small = tmp_path / "short.trace", tmp_path / "small.trace"
    trim(path, short, FrameRange(0, 4))
    trim(path, small, FrameRange(2, 4))
    whole, part = (_on_softpipe(trace, tmp_path / trace.stem, eglretrace) for trace in (short, small))
    assert len(part) == 2
    for mine, theirs in zip(part, whole[2:], strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_frames_that_are_not_there(tmp_path: Path) -> None:
    _streaming(tmp_path / "a.trace")
    with pytest.raises(CaptureError, match=r"a.trace: has 8 frames, none of the requested ones"):
        trim(tmp_path / "a.trace", tmp_path / "b.trace", FrameRange(8, 9))
    with pytest.raises(CaptureError, match="is the capture itself"):
        trim(tmp_path / "a.trace", tmp_path / "a.trace", FrameRange(1, 2))
    assert [path.name for path in tmp_path.iterdir()] == ["a.trace"]
