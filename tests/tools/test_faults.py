"""A fault of tilegpu's own is told as that: one line, a status of its own, no traceback."""

from pathlib import Path

import pytest

from tilegpu.functional.capture import Trace, TraceWriter
from tilegpu.functional.errors import UserError
from tilegpu.functional.gles import routes
from tilegpu.functional.gles.errors import InternalError
from tilegpu.functional.gles.window_system import CALLS
from tilegpu.functional.glsl import link
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.tools import main

HINT = "(please report it with its input; TILEGPU_TRACEBACK=1 shows where it is)"


@pytest.mark.usefixtures("program_cache")
@pytest.mark.parametrize("verb", ["render", "trace"])
def test_a_fault_of_the_compiler(tilegpu, square: Path, tmp_path: Path, monkeypatch, verb: str) -> None:
    def broken(*_: object) -> None:
        raise KeyError("no home for a value")

    link.compile_shader.cache_clear()
    monkeypatch.setattr(link, "lower_shader", broken)
    done = tilegpu(verb, square, "-o", tmp_path / "out")
    link.compile_shader.cache_clear()
    assert done.status == 3
    lines = done.err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: a fault of tilegpu, not of its input: vertex shader 2: the compiler failed")
    assert "no home for a value" in lines[0]
    assert "GL error" not in done.err


@pytest.mark.parametrize("kind", [AssertionError, ValueError])
def test_any_other_fault(tilegpu, square: Path, monkeypatch, kind: type[Exception]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise kind("never so")

    monkeypatch.setattr(main, "app", broken)
    done = tilegpu("info", square)
    assert done.status == 3
    assert done.err.strip().splitlines() == [
        f"error: a fault of tilegpu, not of its input: {kind.__name__}: never so {HINT}"
    ]


def test_a_users_mistake_is_no_fault(tilegpu, square: Path, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise UserError("square: no such thing; give another")

    monkeypatch.setattr(main, "app", broken)
    done = tilegpu("info", square)
    assert (done.status, done.err.strip()) == (2, "error: square: no such thing; give another")


def broken(*_: object) -> None:
    """An entry point with a mistake in it."""
    raise KeyError("slot")


@pytest.mark.parametrize("verb", ["render", "trace"])
def test_a_fault_of_an_entry_point(tilegpu, square: Path, tmp_path: Path, monkeypatch, verb: str) -> None:
    monkeypatch.setattr(routes, "ENTRY_POINTS", {**routes.ENTRY_POINTS, "glClear": broken})
    number = next(call.number for call in Trace(square) if call.name == "glClear")
    done = tilegpu(verb, square, "-o", tmp_path / "out")
    assert done.status == 3
    assert done.err.strip().splitlines() == [
        f"error: a fault of tilegpu, not of its input: call {number} glClear: KeyError: 'slot' {HINT}"
    ]
    monkeypatch.setenv("TILEGPU_TRACEBACK", "1")
    with pytest.raises(InternalError) as fault:
        tilegpu(verb, square, "-o", tmp_path / "out")
    assert isinstance(fault.value.__cause__, KeyError)


def test_a_fault_of_the_window_system(tilegpu, square: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(CALLS, "eglMakeCurrent", broken)
    done = tilegpu("render", square, "-o", tmp_path / "out")
    assert done.status == 3
    assert "eglMakeCurrent: KeyError: 'slot'" in done.err


def test_a_fault_of_a_draw_that_waited(tilegpu, square: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(Renderer, "run", broken)
    done = tilegpu("render", square, "-o", tmp_path / "out")
    assert done.status == 3
    assert "glDrawArrays: KeyError: 'slot'" in done.err


def wrong_shape(*_: object, **__: object) -> None:
    """What libraries raise where tilegpu uses them wrongly."""
    raise ValueError("wrong shape")


@pytest.mark.parametrize(
    ("verb", "broken_part", "where"),
    [
        ("render", "tilegpu.functional.player.window_pixels", "eglSwapBuffers"),
        ("trace", "tilegpu.functional.player.window_pixels", "eglSwapBuffers"),
        ("render", "tilegpu.functional.gles.surfaces.Window.attachments", "glClear"),
        ("render", "tilegpu.functional.gles.complete_frames.CompleteFrames.at_swap", "eglSwapBuffers"),
        ("trace", "tilegpu.functional.recording.listener.ActivityListener.event", "glBufferData"),
        ("trace", "tilegpu.functional.recording.row_group.RowGroup.tables", "writing tables"),
    ],
)
def test_a_fault_beside_the_calls(
    tilegpu, square: Path, tmp_path: Path, monkeypatch, verb: str, broken_part: str, where: str
) -> None:
    monkeypatch.setattr(broken_part, wrong_shape)
    done = tilegpu(verb, square, "-o", tmp_path / "out")
    assert done.status == 3
    (line,) = done.err.strip().splitlines()
    assert line.startswith("error: a fault of tilegpu, not of its input: ")
    assert line.endswith(f"{where}: ValueError: wrong shape {HINT}")
    assert not (tmp_path / "out").exists()


def test_too_little_memory_is_no_fault(tilegpu, square: Path, tmp_path: Path, monkeypatch) -> None:
    def greedy(*_: object) -> None:
        raise MemoryError("cannot allocate 9 TiB")

    monkeypatch.setattr(Renderer, "run", greedy)
    done = tilegpu("render", square, "-o", tmp_path / "out")
    assert done.status == 2
    assert done.err.strip() == "error: not enough memory: cannot allocate 9 TiB"


def test_a_damaged_call_is_the_captures(tilegpu, square: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.trace"
    with TraceWriter(damaged) as writer:
        for call in Trace(square):
            if call.name == "glUniform2f":
                call.arguments[1] = b"noise"
            writer.write(call)
    done = tilegpu("render", damaged, "-o", tmp_path / "out")
    assert done.status == 0
    assert done.err.count("warning:") == 1
    assert "GL_INVALID_VALUE in glUniform2f (2 calls); first: call" in done.err
    assert "b'noise' where a number is expected" in done.err
    assert tilegpu("render", damaged, "-o", tmp_path / "out", "--strict").status == 1
