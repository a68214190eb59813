"""Calls that go by the shape of their kind are those that a look at every byte finds."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.capture import Call, Pointer, Signature, Trace, TraceWriter
from tilegpu.functional.capture.encoder import uint, value
from tilegpu.functional.capture.shape_layout import NoShape
from tilegpu.functional.capture.shapes import Shape

floats = st.floats(width=32, allow_nan=False)
numbers = st.one_of(
    floats,
    st.integers(0, 2**60),
    st.integers(-(2**60), -1),
    st.integers(0, 2**60).map(Pointer),
    st.lists(floats, max_size=5),
    st.lists(st.integers(0, 127) | st.integers(-(2**60), 2**60), max_size=5),
    st.binary(max_size=5) | st.binary(min_size=126, max_size=130),
)


def _event(call: Call) -> bytes:
    """The event that enters a call, as version 6 has it."""
    arguments = b"".join(b"\1" + uint(place) + value(content) for place, content in enumerate(call.arguments))
    return b"\0" + uint(call.thread) + uint(300) + arguments + b"\0"


def _call(arguments: list, fake: bool = False) -> Call:
    call = Call(0, Signature("f", tuple(map(str, range(len(arguments))))), arguments, 2)
    call.fake = fake
    return call


def _read(shape: Shape, event: bytes) -> list:
    return shape.call(0, event, 0).arguments


def _layout(content: object) -> object:
    """Type and length of what a value is made of."""
    return [_layout(c) for c in content] if isinstance(content, list) else (value(content)[0], len(value(content)))


@given(st.lists(st.tuples(numbers, numbers), max_size=4))
def test_a_shape_fits_calls_of_the_same_lengths_alone(pairs: list) -> None:
    one, other = (_call(list(arguments), True) for arguments in (zip(*pairs, strict=True) if pairs else ([], [])))
    shape = Shape(_event(one), one, 6)
    assert shape.fits(_event(one), 0) and _read(shape, _event(one)) == one.arguments
    assert [type(a) for a in _read(shape, _event(one))] == [type(a) for a in one.arguments]
    assert shape.fits(_event(other), 0) == all(_layout(a) == _layout(b) for a, b in pairs)
    if shape.fits(_event(other), 0):
        assert _read(shape, _event(other)) == other.arguments
    assert not shape.fits(_event(one)[:-1], 0)
    assert not shape.fits(_event(Call(0, one.signature, one.arguments, 3)), 0)


def test_enums_and_bitmasks_are_numbers() -> None:
    def event(sign: int, low: int, mask: int) -> bytes:
        return bytes((0, 0, 5, 1, 0, 9, 7, sign, 0x80 | low, 1, 1, 1, 10, 9, mask, 0))

    call = Call(0, Signature("f", ("target", "mask")), [128, 3])
    shape = Shape(event(4, 0, 3), call, 6)
    assert _read(shape, event(4, 5, 9)) == [133, 9]
    assert not shape.fits(event(3, 5, 9), 0)
    assert _read(Shape(event(3, 0, 3), call, 6), event(3, 1, 0)) == [-129, 0]
    with pytest.raises(NoShape):
        Shape(event(4, 0, 3), call, 2)


def test_arrays_of_integers_are_alike_where_each_takes_as_many_bytes() -> None:
    one, alike, other = (_call([1, array]) for array in ([1, 300, -5], [2, 400, -7], [300, 1, -5]))
    shape = Shape(_event(one), one, 6)
    assert shape.fits(_event(alike), 0) and _read(shape, _event(alike)) == alike.arguments
    assert not shape.fits(_event(other), 0)


@pytest.mark.parametrize("content", ["text", b"blob", ["text"], [[0.5]], [0.5] * 100])
def test_more_than_numbers_has_no_shape(content: object) -> None:
    call = _call([1, content])
    with pytest.raises(NoShape):
        Shape(_event(call), call, 6)


@pytest.mark.parametrize("event", [b"\5\1", b"\5\1\0", b"\5\1\0\5\0", b"\5\1\1\1\0", b"\5\2\1\0", b"\5\0\0"])
def test_what_is_no_event_has_no_shape(event: bytes) -> None:
    with pytest.raises(NoShape):
        Shape(b"\0\0" + event, Call(0, Signature("f", ("a",)), [None]), 6)


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


def _names_read_by_shape(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List of functions that grows with every call that a shape decodes."""
    names: list[str] = []
    decode = Shape.call

    def noted(shape: Shape, number: int, data: bytes, at: int) -> Call:
        call = decode(shape, number, data, at)
        names.append(call.name)
        return call

    monkeypatch.setattr(Shape, "call", noted)
    return names


def test_new_numbers_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = _names_read_by_shape(monkeypatch)
    written = _written(tmp_path / "a.trace", 30_000)
    read = list(Trace(tmp_path / "a.trace"))
    assert read == written
    assert [call.number for call in read] == list(range(len(written)))
    assert names.count("m") > 10_000 and names.count("v") > 1000 and "q" not in names


@pytest.mark.parametrize("results", [1, 200])
def test_queries_in_a_row_go_by_shapes_if_they_return_the_same(
    results: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = _names_read_by_shape(monkeypatch)
    query, written = Signature("q", ("attribute", "value")), []
    with TraceWriter(tmp_path / "a.trace") as writer:
        for number in range(400):
            call = Call(number, query, [Pointer(number % 30), [number]])
            call.result = number % results
            written.append(call)
            writer.write(call)
    assert list(Trace(tmp_path / "a.trace")) == written
    assert len(names) > 300 if results == 1 else not names


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
