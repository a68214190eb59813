"""Calls that go by the shape of their kind are those that a look at every byte finds."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.capture import Call, Pointer, Signature, Trace, TraceWriter
from tilegpu.functional.capture.encoder import uint, value
from tilegpu.functional.capture.shapes import NoShape, Shape

floats = st.floats(width=32, allow_nan=False)
numbers = st.one_of(
    floats,
    st.integers(0, 2**60),
    st.integers(-(2**60), -1),
    st.integers(0, 2**60).map(Pointer),
    st.lists(floats, max_size=5),
    st.binary(max_size=5) | st.binary(min_size=126, max_size=130),
)


def _event(call: Call) -> bytes:
    """Thread, number of the function, and arguments, as version 6 has them."""
    arguments = b"".join(b"\1" + uint(place) + value(content) for place, content in enumerate(call.arguments))
    return uint(call.thread) + uint(300) + arguments + b"\0"


def _call(arguments: list, fake: bool = False) -> Call:
    call = Call(0, Signature("f", tuple(map(str, range(len(arguments))))), arguments, 2)
    call.fake = fake
    return call


@given(st.lists(st.tuples(numbers, numbers), max_size=4))
def test_a_shape_fits_calls_of_the_same_lengths_alone(pairs: list) -> None:
    one, other = (_call(list(arguments), True) for arguments in (zip(*pairs, strict=True) if pairs else ([], [])))
    shape = Shape(_event(one), one, 6)
    assert shape.fits(_event(one)) and shape.arguments(_event(one)) == one.arguments
    assert [type(a) for a in shape.arguments(_event(one))] == [type(a) for a in one.arguments]
    alike = all(type(a) is type(b) and len(value(a)) == len(value(b)) for a, b in pairs)
    signs = all(value(a)[0] == value(b)[0] for a, b in pairs)
    digits = [[byte >= 0x80 for byte in value(a)[1:]] for pair in pairs for a in pair if isinstance(a, int)]
    assert all(sum(d) == len(d) - 1 for d in digits)
    assert shape.fits(_event(other)) == (alike and signs)
    if shape.fits(_event(other)):
        assert shape.arguments(_event(other)) == other.arguments
    assert not shape.fits(_event(one)[:-1])
    assert not shape.fits(_event(Call(0, one.signature, one.arguments, 3)))


def test_enums_and_bitmasks_are_numbers() -> None:
    def event(sign: int, low: int, mask: int) -> bytes:
        return bytes((0, 5, 1, 0, 9, 7, sign, 0x80 | low, 1, 1, 1, 10, 9, mask, 0))

    call = Call(0, Signature("f", ("target", "mask")), [128, 3])
    shape = Shape(event(4, 0, 3), call, 6)
    assert shape.arguments(event(4, 5, 9)) == [133, 9]
    assert not shape.fits(event(3, 5, 9))
    assert Shape(event(3, 0, 3), call, 6).arguments(event(3, 1, 0)) == [-129, 0]
    with pytest.raises(NoShape):
        Shape(event(4, 0, 3), call, 2)


@pytest.mark.parametrize("content", ["text", b"blob", [1], [[0.5]], [0.5] * 100])
def test_more_than_numbers_has_no_shape(content: object) -> None:
    call = _call([1, content])
    with pytest.raises(NoShape):
        Shape(_event(call), call, 6)


@pytest.mark.parametrize(
    "event", [b"\0\5\1", b"\0\5\1\0", b"\0\5\1\0\5\0", b"\0\5\1\1\1\0", b"\0\5\2\1\0", b"\0\5\0\0"]
)
def test_what_is_no_event_has_no_shape(event: bytes) -> None:
    with pytest.raises(NoShape):
        Shape(event, Call(0, Signature("f", ("a",)), [None]), 6)


def _written(path: Path, count: int) -> list[Call]:
    """Matrices, vectors and results, some new each time and some not."""
    matrix, vector, asked = Signature("m", ("place", "value")), Signature("v", ("x", "y", "z")), Signature("q", ("x",))
    written = []
    with TraceWriter(path) as writer:
        for number in range(count):
            kind = number % 5
            if kind < 2:
                call = Call(number, matrix, [number % 3, [float(number + k) for k in range(16)]])
            elif kind < 4:
                call = Call(number, vector, [0.25 * number, -number * number, Pointer(number << number % 20)])
            else:
                call = Call(number, asked, [[0.5 * number] * 20])
                call.result = number
            written.append(call)
            writer.write(call)
    return written


def test_new_numbers_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_so = []
    arguments = Shape.arguments
    monkeypatch.setattr(
        Shape, "arguments", lambda shape, event: read_so.append(shape.signature) or arguments(shape, event)
    )
    written = _written(tmp_path / "a.trace", 30_000)
    read = list(Trace(tmp_path / "a.trace"))
    assert read == written
    assert [call.number for call in read] == list(range(len(written)))
    names = [signature.name for signature in read_so]
    assert names.count("m") > 10_000 and names.count("v") > 1000 and "q" not in names


def test_a_file_cut_within_such_calls_gives_the_whole_ones(tmp_path: Path) -> None:
    path, cut = tmp_path / "a.trace", tmp_path / "cut.trace"
    written = _written(path, 400)
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[2:6])
    counts = []
    for missing in range(1, 400, 7):
        cut.write_bytes(data[: 6 + length - missing])
        trace = Trace(cut)
        read = [call for call in trace if call.complete]
        assert read == written[: len(read)]
        assert trace.warnings
        counts.append(len(read))
    assert counts == sorted(counts, reverse=True) and counts[0] > counts[-1] > 200


def test_what_a_shape_holds_is_nobody_elses(tmp_path: Path) -> None:
    _written(tmp_path / "a.trace", 300)
    read = list(Trace(tmp_path / "a.trace"))
    for call in read[100:]:
        for content in call.arguments:
            if isinstance(content, list):
                content.clear()
    assert list(Trace(tmp_path / "a.trace"))[299].arguments == [[149.5] * 20]
