"""A capture with a seeded fault is reduced to the calls that show it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.tools.conftest import Done
from tilegpu import UserError, render
from tilegpu.functional.capture import Call, Recorder, Trace
from tilegpu.functional.opengl import enums as gl
from tilegpu.tools.reduce.check import Check, CheckError
from tilegpu.tools.reduce.search import Search, fewest

SIDE = 8
VERTEX = "attribute vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }"
FRAGMENT = "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }"
CORNERS = np.array([(-1, -1), (3, -1), (-1, 3)], np.float32)
GREEN = (0.0, 1.0, 0.0, 1.0)
FRAMES, DRAWS = 5, 6


def capture(path: Path, padding: int = 0) -> Path:
    """Frames of red draws; one draw of the last frame but one is green. `padding`: further calls in each frame."""
    with Recorder(path, SIDE, SIDE) as r:
        program = r.program(VERTEX, FRAGMENT, ("place",))
        r.glUseProgram(program)
        color = r.glGetUniformLocation(program, "color")
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, CORNERS.nbytes, CORNERS, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, 0)
        for frame in range(FRAMES):
            r.glClear(gl.COLOR_BUFFER_BIT)
            for draw in range(DRAWS):
                faulty = frame == FRAMES - 2 and draw == DRAWS - 1
                r.glUniform4f(color, *(GREEN if faulty else (1.0, 0.0, 0.0, 1.0)))
                for _ in range(padding):
                    r.glDisable(gl.DITHER)
                r.glDrawArrays(gl.TRIANGLES, 0, 3)
            r.swap()
    return path


def shows_green(path: Path) -> bool:
    """Whether some frame has a green pixel; not if there is none."""
    try:
        return any((frame.pixels[..., 1] > 200).any() for frame in render(path))
    except UserError:
        return False


def searched(path: Path, folder: Path, holds: Callable[[Path], bool], seconds: float = 600.0) -> tuple[Search, bool]:
    """A search with a function in the place of a command."""
    folder.mkdir()
    check = Check("none {}", 60.0)
    check._run = lambda candidate: int(holds(candidate))  # type: ignore[method-assign]
    search = Search(path, check, folder, seconds, lambda tried, calls: None)
    return search, search.run()


def names(path: Path) -> list[str]:
    """Names of the calls of a capture."""
    return [call.name for call in Trace(path)]


def test_what_the_fault_needs_stays(tmp_path: Path) -> None:
    search, finished = searched(capture(tmp_path / "a.trace"), tmp_path / "work", shows_green)
    found = names(search.best)
    assert finished and shows_green(search.best)
    assert found.count("glDrawArrays") == 1 and found.count("eglSwapBuffers") == 1
    # One colour, one program, one buffer: no call can go alone.
    assert found.count("glUniform4f") == 1 and len(found) <= 25
    for i in range(len(found)):
        assert not holds_without(search.best, i, tmp_path), found[i]


def holds_without(path: Path, place: int, tmp_path: Path) -> bool:
    """Whether the fault shows without a call."""
    from tilegpu.functional.capture import TraceWriter

    with TraceWriter(tmp_path / "less.trace") as writer:
        for i, call in enumerate(Trace(path)):
            if i != place:
                writer.write(call)
    return shows_green(tmp_path / "less.trace")


def test_data_that_do_not_matter_are_zeros(tmp_path: Path) -> None:
    def texture(r: Recorder) -> None:
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        texels = np.full((8, 8, 4), 77, np.uint8)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)

    path = tmp_path / "a.trace"
    with Recorder(path, SIDE, SIDE) as r:
        texture(r)
        r.swap()
    search, _ = searched(path, tmp_path / "work", lambda candidate: "glTexImage2D" in names(candidate))
    (left,) = list(Trace(search.best))
    assert left.name == "glTexImage2D" and bytes(256) in left.arguments


def test_the_smallest_capture_in_time_is_kept(tmp_path: Path) -> None:
    path = capture(tmp_path / "a.trace")
    search, finished = searched(path, tmp_path / "work", lambda candidate: True, seconds=0.0)
    assert not finished and search.best == path


def test_a_check_that_changes_its_mind() -> None:
    answers = iter([False, False])
    with pytest.raises(CheckError, match="one way or another"):
        fewest([1, 2, 3], lambda kept: next(answers))


@pytest.mark.parametrize(
    "command, told",
    [("", "give a command"), ("'x", "No closing quotation"), ("/nowhere/at/all {}", "cannot be run: No such file")],
)
def test_commands_that_cannot_be_used(tilegpu: Callable[..., Done], tmp_path: Path, command: str, told: str) -> None:
    path = capture(tmp_path / "a.trace")
    done = tilegpu("reduce", path, "--check", command, "-o", tmp_path / "b.trace")
    assert done.status == 2 and told in done.err
    assert not (tmp_path / "b.trace").exists()


def test_the_capture_is_never_written(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    path = capture(tmp_path / "a.trace")
    before = path.read_bytes()
    for more in ((), ("--force",)):
        done = tilegpu("reduce", path, "--check", "true {}", "-o", path, *more)
        assert done.status == 2 and "is the capture itself" in done.err
    assert path.read_bytes() == before


def test_a_command_that_does_not_look(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    done = tilegpu("reduce", capture(tmp_path / "a.trace"), "--check", "true {}", "-o", tmp_path / "b.trace")
    assert done.status == 0 and "does it look at the capture?" in done.err


def test_the_verb(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    """A command looks for a call by its argument, in another process."""
    path, script = capture(tmp_path / "a.trace"), tmp_path / "check.py"
    script.write_text(
        "import sys\nfrom tilegpu.functional.capture import Trace\n"
        "sys.exit(7 if any(c.name == 'glUniform4f' and c.arguments[2] == 1.0 for c in Trace(sys.argv[1])) else 0)\n"
    )
    done = tilegpu("reduce", path, "--check", f"{sys.executable} {script} {{}}", "-o", tmp_path / "b.trace", "--json")
    assert done.status == 0
    told = json.loads(done.out)
    assert told["status"] == 7 and told["finished"] and told["calls"][1] == 1
    assert names(tmp_path / "b.trace") == ["glUniform4f"]


@pytest.mark.slow
def test_ten_thousand_calls(tmp_path: Path) -> None:
    path = capture(tmp_path / "a.trace", padding=340)
    assert len(names(path)) > 10_000
    search, finished = searched(path, tmp_path / "work", shows_green)
    assert finished and len(names(search.best)) < 60


def test_calls_are_complete(tmp_path: Path) -> None:
    """A call that never returned stays out of every candidate."""
    path = capture(tmp_path / "a.trace")
    kept: list[Call] = []

    def holds(candidate: Path) -> bool:
        kept[:] = list(Trace(candidate))
        return bool(kept)

    searched(path, tmp_path / "work", holds)
    assert all(call.complete for call in kept)
