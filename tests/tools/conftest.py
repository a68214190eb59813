"""The command, run in this process."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.tools.main import main


@dataclass(frozen=True)
class Done:
    """What a run of the command left."""

    status: int
    out: str
    err: str


@pytest.fixture
def tilegpu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Run the command with arguments."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Done:
        monkeypatch.setattr("sys.argv", ["tilegpu", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as leave:
            status = int(leave.code or 0)
        captured = capsys.readouterr()
        return Done(status, captured.out, captured.err)

    return run


def record_square(path: Path, frames: int = 2, calls_between: tuple[tuple, ...] = ()) -> Path:
    """A red square in a 32x32 window, moving right by two pixels a frame; more calls may be slipped in before each
    draw."""
    with Recorder(path, 32, 32) as gl:
        program = gl.program(
            "attribute vec2 p; uniform vec2 at; void main() { gl_Position = vec4(p + at, 0.0, 1.0); }",
            "precision mediump float; void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }",
            ("p",),
        )
        gl.glUseProgram(program)
        buffer = gl.glGenBuffers(1)[0]
        gl.glBindBuffer(0x8892, buffer)
        corners = np.array([-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5], np.float32)
        gl.glBufferData(0x8892, corners.nbytes, corners, 0x88E4)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, 0)
        location = gl.glGetUniformLocation(program, "at")
        for number in range(frames):
            gl.glClearColor(0, 0, 0.5, 1)
            gl.glClear(0x4100)
            gl.glUniform2f(location, number / 8, 0)
            for name, *arguments in calls_between:
                getattr(gl, name)(*arguments)
            gl.glDrawArrays(5, 0, 4)
            gl.swap()
    return path


@pytest.fixture
def square(tmp_path: Path) -> Path:
    """The square's trace."""
    return record_square(tmp_path / "square.trace")
