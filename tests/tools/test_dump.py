"""`tilegpu dump`, against apitrace's own dump and on a stream made by hand."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.call_text import call_text, float_text
from tilegpu.functional.capture import Recorder, Trace

FLOAT = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")


@pytest.mark.skipif(shutil.which("apitrace") is None, reason="install apitrace")
@pytest.mark.parametrize("name", ["es3", "gst_effects", "es1_gears"])
def test_lines_are_those_of_apitrace(tilegpu, captures: Path, name: str) -> None:
    path = captures / f"{name}.trace"
    command = ["apitrace", "dump", "--color=never", "--multiline=no", "-v", str(path)]
    printed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    expected = [line for line in printed.splitlines() if line and not line.startswith("//")]
    lines = tilegpu("dump", path).out.splitlines()
    assert len(lines) == len(expected)
    for ours, theirs in zip(lines, expected, strict=True):
        # apitrace prints seven digits, we as many as the number needs.
        assert FLOAT.sub("#", ours) == FLOAT.sub("#", theirs)
        digits = [[float(number) for number in FLOAT.findall(line)] for line in (ours, theirs)]
        np.testing.assert_allclose(digits[0], digits[1], rtol=5e-7)


def test_calls_are_chosen_by_name_number_and_frame(tilegpu, square: Path) -> None:
    lines = tilegpu("dump", square).out.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines)))
    draws = tilegpu("dump", square, "--name", "glDraw*").out.splitlines()
    assert [line.split(" ", 1)[1] for line in draws] == [
        "glDrawArrays(mode = GL_TRIANGLE_STRIP, first = 0, count = 4)"
    ] * 2
    assert tilegpu("dump", square, "--calls", "2:5").out.splitlines() == lines[2:5]
    ends = [number for number, line in enumerate(lines) if "eglSwapBuffers" in line]
    assert tilegpu("dump", square, "--frames", "1").out.splitlines() == lines[ends[0] + 1 : ends[1] + 1]
    both = tilegpu("dump", square, "--frames", ":1", "--name", "glClear", "--name", "eglSwap*").out
    assert [line.split()[1].split("(")[0] for line in both.splitlines()] == ["glClear", "eglSwapBuffers"]


def test_what_cannot_be_chosen_is_said(tilegpu, square: Path) -> None:
    for option, text, message in (
        ("--calls", "b", "write A:B for calls"),
        ("--frames", "7", "has 2 frames, none of the requested ones"),
        ("--frames-at", "x", "choose swap"),
    ):
        done = tilegpu("dump", square, "--frames", "0", option, text)
        assert done.status == 2 and message in done.err and not done.out


def test_text_stays_in_its_line_and_obeys_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "labels.trace"
    with Recorder(path, 8, 8) as gl:
        gl.glPushGroupMarkerEXT(0, 'a "b"\\\n\x1b[31m\u2028')
        gl.glClear(0x4100 | 0x1)
        gl.glTexParameteri(0x0DE1, 0x2801, 0x2703)
        gl.glBufferData(0x8892, 3, b"abc", 0x88E4)
        gl.glBlendFunc(1, 0x0303)
    texts = [call_text(call) for call in Trace(path, named=True)][-5:]
    assert texts == [
        'glPushGroupMarkerEXT(length = 0, marker = "a \\"b\\"\\\\\\n\\x1b[31m\\u2028")',
        "glClear(mask = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | 0x1)",
        "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR_MIPMAP_LINEAR)",
        "glBufferData(target = GL_ARRAY_BUFFER, size = 3, data = blob(3), usage = GL_STATIC_DRAW)",
        "glBlendFunc(sfactor = GL_ONE, dfactor = GL_ONE_MINUS_SRC_ALPHA)",
    ]


@given(st.one_of(st.floats(width=32), st.floats()))
def test_numbers_are_printed_without_loss(value: float) -> None:
    text = float_text(value)
    with np.errstate(over="ignore"):
        single = np.float32(value) == np.float64(value)
    read = float(np.float32(text)) if single else float(text)
    assert read == value or (read != read and value != value)
