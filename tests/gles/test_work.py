"""Calls that ask for more work than one may end the command; those that take long are named."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional import work
from tilegpu.functional.capture import Call, Recorder, Signature
from tilegpu.functional.gles.errors import ExecutorError
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

VERTEX = "#version 300 es\nin vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"
FRAGMENT = "#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(1.0); }"
COMPUTE = """#version 310 es
layout(local_size_x = 8) in; layout(std430, binding = 0) buffer B { uint b[]; }; void main() { b[0] = 1u; }"""
HUGE = 65535


def _draw(r: Recorder, instances: int) -> None:
    r.glUseProgram(r.program(VERTEX, FRAGMENT, ("p",)))
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, 32, np.zeros(8, np.float32), gl.STATIC_DRAW)
    r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, 0)
    r.glEnableVertexAttribArray(0)
    r.glDrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, instances)


def _dispatch(r: Recorder, groups: tuple[int, int, int], indirect: bool = False) -> None:
    shader, program = r.glCreateShader(gl.COMPUTE_SHADER), r.glCreateProgram()
    r.glShaderSource(shader, 1, [COMPUTE], None)
    r.glCompileShader(shader)
    r.glAttachShader(program, shader)
    r.glLinkProgram(program)
    r.glUseProgram(program)
    r.glBindBuffer(gl.SHADER_STORAGE_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.SHADER_STORAGE_BUFFER, 64, bytes(64), gl.STATIC_DRAW)
    r.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, 1)
    if not indirect:
        r.glDispatchCompute(*groups)
        return
    r.glBindBuffer(gl.DISPATCH_INDIRECT_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.DISPATCH_INDIRECT_BUFFER, 12, np.array(groups, np.uint32), gl.STATIC_DRAW)
    r.glDispatchComputeIndirect(0)


def _mipmap(r: Recorder, size: int) -> None:
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    r.glGenerateMipmap(gl.TEXTURE_2D)


HEAVY: dict[str, tuple[Callable[[Recorder], None], int]] = {
    "instances": (lambda r: _draw(r, 1 << 30), work.DEFAULT_MAX_WORK),
    "work groups": (lambda r: _dispatch(r, (HUGE, HUGE, HUGE)), work.DEFAULT_MAX_WORK),
    "work groups from a buffer": (lambda r: _dispatch(r, (HUGE, HUGE, HUGE), True), work.DEFAULT_MAX_WORK),
    "some instances": (lambda r: _draw(r, 250), 999),
    "some work groups": (lambda r: _dispatch(r, (5, 5, 5)), 999),
    "levels": (lambda r: _mipmap(r, 32), 1023),
}


def _record(path: Path, make: Callable[[Recorder], None]) -> Path:
    with Recorder(path, 16, 16, (3, 1)) as r:
        make(r)
        r.swap()
    return path


@pytest.mark.parametrize("heavy", HEAVY)
def test_more_than_allowed_ends_the_command_and_names_the_call(heavy: str, tmp_path: Path) -> None:
    make, most = HEAVY[heavy]
    path = _record(tmp_path / "heavy.trace", make)
    start = time.process_time()
    with pytest.raises(ExecutorError, match=r"call \d+ gl\w+: .* are more than [\d,]+; raise --max-work"):
        list(Player(path, max_work=most).run())
    assert time.process_time() - start < 10
    if most < 2000:
        (frame,) = Player(path, max_work=most + 1).run()
        assert frame.pixels.shape == (16, 16, 3)


class _Busy:
    """Something that executes a call for a long time, as it seems."""

    present: Call | None = Call(7, Signature("glDrawArrays", ()), [])


def test_a_call_that_takes_long_is_named(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(work, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(work, "LONG_SECONDS", 0.05)
    monkeypatch.setattr(work, "REPEAT_SECONDS", 0.1)
    busy = _Busy()
    with caplog.at_level(logging.WARNING, "tilegpu"), work.long_calls_told(busy):
        time.sleep(0.5)
    lines = [record.getMessage() for record in caplog.records]
    assert 2 <= len(lines) <= 6 and all("call 7 glDrawArrays has taken" in line for line in lines)
    caplog.clear()
    busy.present = None
    with caplog.at_level(logging.WARNING, "tilegpu"), work.long_calls_told(busy):
        time.sleep(0.2)
    assert not caplog.records
