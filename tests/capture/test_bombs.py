"""Small files that stand for much: reading them ends soon, in little memory, and says what is wrong."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pyarrow as pa
import pytest

from tests.fuzz.memory import memory_growth
from tilegpu.functional.capture import Call, CaptureError, Signature, Trace
from tilegpu.functional.capture.encoder import Encoder, string, uint
from tilegpu.functional.capture.wire_format import ARGUMENT, ARRAY, BLOB, END, ENTER, LEAVE
from tilegpu.functional.inspection import inspect_stream

MAX_SECONDS, MAX_GROWTH_KIB = 20.0, 1 << 20
FLUSH = Signature("glFlush", ())


def _start() -> bytes:
    """A header and a call."""
    encoder = Encoder()
    return encoder.header({}) + encoder.call(Call(0, FLUSH, []), ())


def _argument(content: bytes, signature: bytes = b"\x01" + string("glHint") + b"\x01" + string("a")) -> bytes:
    """An event that enters a call of one argument, and its return."""
    enter = bytes((ENTER, 0)) + signature + bytes((ARGUMENT, 0)) + content + bytes((END,))
    return enter + bytes((LEAVE, 1, END))


LISTS = 30_000_000
BOMBS = {
    "empty lists in a list": lambda: _start() + _argument(bytes((ARRAY,)) + uint(LISTS) + bytes((ARRAY, 0)) * LISTS),
    "lists in lists": lambda: _start() + _argument((bytes((ARRAY,)) + uint(2)) * 40 + bytes((ARRAY, 0)) * LISTS),
    "zeros": lambda: _start() + _argument(bytes((ARRAY,)) + uint(LISTS) + bytes(LISTS)),
    "a long blob": lambda: _start() + _argument(bytes((BLOB,)) + uint(400 << 20) + bytes(400 << 20)),
    "calls that never return": lambda: _start() + bytes((ENTER, 0, 0, END)) * LISTS,
    "one call again and again": lambda: (
        _start() + b"".join(bytes((ENTER, 0, 0, END, LEAVE)) + uint(n) + bytes((END,)) for n in range(1, 1 << 20)) * 8
    ),
    "functions": lambda: (
        _start()
        + b"".join(bytes((ENTER, 0)) + uint(n) + string(f"f{n}") + bytes((0, END)) for n in range(1, 2_000_000))
    ),
    "names of arguments": lambda: (
        _start() + bytes((ENTER, 0, 1)) + string("f") + uint(LISTS) + bytes(LISTS) + bytes((END,))
    ),
}


LARGEST = "a long blob", "one call again and again"
"""Bombs that take longest to build."""
PACKED = [
    pytest.param(bomb, packing, marks=() if is_quick else pytest.mark.slow)
    for bomb in BOMBS
    for packing, is_quick in (("zstd", bomb not in LARGEST), ("gzip", bomb == "zeros"))
]
"""Each bomb by either packing; the reader unpacks both in the same steps, so quick runs have one bomb by the second."""


@pytest.mark.parametrize("bomb, packing", PACKED)
def test_a_bomb_takes_neither_memory_nor_time(bomb: str, packing: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.trace"
    content = BOMBS[bomb]()
    path.write_bytes(
        gzip.compress(content, 6) if packing == "gzip" else pa.compress(content, codec="zstd", asbytes=True)
    )
    del content
    start = time.process_time()
    with memory_growth() as growth:
        try:
            found = inspect_stream(path)
            assert found.total_calls >= 1
            lines = found.warnings
        except CaptureError as error:
            lines = [str(error)]
    assert all("\n" not in line for line in lines)
    assert time.process_time() - start < MAX_SECONDS
    assert growth[0] < MAX_GROWTH_KIB


def test_long_data_of_one_call_are_read(tmp_path: Path) -> None:
    """As much as a large texture has, and packed as tightly as zeros are."""
    path = tmp_path / "long.trace"
    size = 64 << 20
    stream = _start() + _argument(bytes((BLOB,)) + uint(size) + bytes(size))
    path.write_bytes(pa.compress(stream, codec="zstd", asbytes=True))
    *_, last = Trace(path)
    (data,) = last.arguments
    assert isinstance(data, bytes) and len(data) == size
