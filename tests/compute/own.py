"""Answers of this renderer to a recorded trace, in the form of `mesa.play`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tilegpu.functional.capture import Call, Trace, Value
from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.draw import Renderer

from .program import Program
from .recorded import record


def play(trace: Path, backend: Backend | None = None) -> list[bytes]:
    """Bytes of every range mapped for reading and of every glReadPixels of a trace, in the order of the calls."""
    answers: list[bytes] = []

    def answer(call: Call, value: Value) -> None:
        if call.name == "glReadPixels":
            assert isinstance(value, bytes)
            answers.append(value)

    renderer = Renderer(choose_backend()[0] if backend is None else backend)
    display = Display(renderer.run, Listener(), lambda window, call: None, None, answer, dispatch=renderer.dispatch)
    for call in Trace(trace):
        display.execute(call)
        arguments: list[Any] = call.arguments
        if call.name == "glMapBufferRange" and arguments[3] & gl.MAP_READ_BIT:
            target, offset, length, _ = arguments
            buffer: Any = display.current[call.thread].state.buffers[target]
            answers.append(bytes(buffer.data[offset : offset + length]))
    return answers


def run(program: Program, backend: Backend | None = None) -> list[bytes]:
    """All buffers of a program after its dispatches, as `mesa.run` returns them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.trace"
        record(program, path)
        return play(path, backend)
