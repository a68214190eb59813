"""The reader against apitrace's own dump, on every container version and compression, and on damaged files."""

import gzip
import re
import struct
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest

from tilegpu.functional.capture import ArgumentError, Call, CaptureError, Recorder, Signature, Trace, TraceWriter
from tilegpu.functional.capture.encoder import uint, value
from tilegpu.functional.capture.snappy import decode_partial

FIXTURES = ("incomplete-call", "zlib-no-eof", "tri", "glthreads", "glxsimple", "tri_glsl", "es3.br", "es3.gz")
CALL = re.compile(r"^(\d+) (?:@\d+ )?(?://)?(\w+)\(")


def dumped(apitrace: str, path: Path) -> list[tuple[int, str]]:
    """Number and name of every call as `apitrace dump` prints them, in order of number."""
    text = subprocess.run(
        [apitrace, "dump", "--verbose", "--color=never", str(path)],
        capture_output=True,
        text=True,
        errors="replace",
    ).stdout
    return sorted((int(m[1]), m[2]) for line in text.splitlines() if (m := CALL.match(line)))


@pytest.mark.parametrize("name", FIXTURES)
def test_calls_are_those_that_apitrace_dumps(name: str, captures: Path, apitrace: str) -> None:
    path = captures / "fixtures" / f"{name}.trace"
    read = sorted((c.number, c.name) for c in Trace(path))
    assert read == dumped(apitrace, path)


@pytest.mark.parametrize("name", ["es2tri", "es2gears_360p", "build_vbo_360p", "es3", "buffer_map_360p"])
def test_calls_of_captured_applications(name: str, captures: Path, apitrace: str) -> None:
    path = captures / f"{name}.trace"
    assert sorted((c.number, c.name) for c in Trace(path)) == dumped(apitrace, path)


def test_repacked_files_read_equal(captures: Path) -> None:
    original = list(Trace(captures / "es3.trace"))
    for compression in ("br", "gz"):
        assert list(Trace(captures / "fixtures" / f"es3.{compression}.trace")) == original


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A trace of 40 calls after the set-up."""
    path = tmp_path / "small.trace"
    with Recorder(path, 8, 8) as gl:
        for i in range(39):
            gl.glClearColor(i / 64, 0.5, 0.25, 1)
        gl.swap()
    return path


def content(path: Path) -> bytes:
    """Uncompressed bytes of a small Snappy trace."""
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[2:6])
    block = data[6 : 6 + length]
    size, shift, at = 0, 0, 0
    while True:
        size |= (block[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if block[at - 1] < 0x80:
            break
    return pa.Codec("snappy").decompress(block, decompressed_size=size, asbytes=True)


@pytest.mark.parametrize("compression", ["gzip", "brotli", "zstd"])
def test_other_containers_of_the_same_bytes(small: Path, tmp_path: Path, compression: str) -> None:
    packed = tmp_path / "packed.trace"
    data = content(small)
    packed.write_bytes(
        gzip.compress(data) if compression == "gzip" else pa.Codec(compression).compress(data, asbytes=True)
    )
    trace = Trace(packed)
    assert trace.compression == compression
    assert list(trace) == list(Trace(small))


def test_chunks_may_end_anywhere(small: Path, tmp_path: Path) -> None:
    data, cut = content(small), tmp_path / "cut.trace"
    codec = pa.Codec("snappy")
    blocks = [codec.compress(data[i : i + 7], asbytes=True) for i in range(0, len(data), 7)]
    cut.write_bytes(b"at" + b"".join(struct.pack("<I", len(b)) + b for b in blocks))
    assert list(Trace(cut)) == list(Trace(small))


def test_a_file_cut_short_gives_every_whole_call(small: Path, tmp_path: Path) -> None:
    data, cut = content(small), tmp_path / "cut.trace"
    whole = list(Trace(small))
    for end in range(300, len(data), 37):
        cut.write_bytes(gzip.compress(data[:end]))
        trace = Trace(cut)
        calls = [c for c in trace if c.complete]
        assert calls == whole[: len(calls)]
        assert len(calls) < len(whole)
        unfinished = end < len(data) and not data[:end].endswith(data)
        assert bool(trace.warnings) or unfinished


@pytest.mark.parametrize("damage", [b"\x07", b"\x00\x00\xff", b"\x00\x00\x01\x07", b"\x00" + b"\xff" * 12])
def test_calls_before_damage_are_read(damage: bytes, small: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.trace"
    damaged.write_bytes(gzip.compress(content(small) + damage + b"\xff" * 20))
    trace, whole = Trace(damaged), list(Trace(small))
    assert list(trace) == whole
    (warning,) = trace.warnings
    assert "damaged" in warning and warning.endswith(f"read up to call {whole[-1].number}")


def test_a_snappy_chunk_cut_short_is_read_to_the_cut(small: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.trace"
    cut.write_bytes(small.read_bytes()[:-20])
    trace = Trace(cut)
    calls = list(trace)
    assert 20 < len(calls) < 49
    assert len(trace.warnings) == 1
    assert "breaks off after call" in trace.warnings[0]


def test_partial_snappy_matches_whole_decoding() -> None:
    data = b"abcabcabcabc" * 50 + bytes(range(256)) + b"z" * 1000
    block = pa.Codec("snappy").compress(data, asbytes=True)
    assert decode_partial(block) == data
    assert data.startswith(decode_partial(block[: len(block) // 2]))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"This is a text file, not a trace.\n" * 20, "not an apitrace file"),
        (b"at", "not an apitrace file"),
        (b"at\xff\xff\xff\x7fxx", "damaged"),
        (gzip.compress(b"\x63", mtime=0), "not an apitrace file"),
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.trace"
    path.write_bytes(data)
    with pytest.raises(CaptureError, match=message) as error:
        list(Trace(path))
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_hostile_lengths_take_no_memory(tmp_path: Path) -> None:
    huge = b"\xff\xff\xff\xff\xff\xff\x7f"
    for event in (
        b"\x00\x00\x00" + huge,
        b"\x00\x00\x00\x01f\x01\x01a\x01\x00\x08" + huge,
        b"\x00\x00\x00\x01f\x01\x01a\x01\x00\x0b" + huge,
        b"\x00\x00\x00\x01f\x01\x01a\x01\x00" + b"\x0b\x01" * 100000,
    ):
        path = tmp_path / "hostile.trace"
        path.write_bytes(gzip.compress(b"\x06\x06\x00" + event))
        try:
            assert all(not c.complete for c in Trace(path))
        except CaptureError as error:
            assert "damaged" in str(error)


def test_a_file_cut_inside_its_header_is_refused(tmp_path: Path) -> None:
    path, header = tmp_path / "cut.trace", b"\6\6\4name\5value\0"
    path.write_bytes(gzip.compress(header))
    assert Trace(path).properties == {"name": "value"}
    for end in range(len(header)):
        path.write_bytes(gzip.compress(header[:end]))
        with pytest.raises(CaptureError, match="cut inside its header"):
            Trace(path)


def test_arguments_beyond_those_of_the_signature(tmp_path: Path) -> None:
    path = tmp_path / "many.trace"
    arguments = b"".join(b"\1" + uint(place) + value(place) for place in (0, 299, 150))
    path.write_bytes(gzip.compress(b"\6\6\0" + b"\0\0\0\1f\1\1a" + arguments + b"\0\1\0\0"))
    (call,) = Trace(path)
    assert [place for place, content in enumerate(call.arguments) if content is not None] == [0, 150, 299]
    assert call.arguments[150] == 150 and len(call.arguments) == 300


def test_nested_enums_of_old_files_are_damage(tmp_path: Path) -> None:
    """Before version 3 the first use of an enum holds the enum's value, which may claim to be an enum, too."""
    path = tmp_path / "nested.trace"
    nested = b"".join(b"\x09" + uint(number) + b"\0" for number in range(5000))
    path.write_bytes(gzip.compress(b"\1\0\0\1f\1\1a\1\0" + nested + b"\4\1\0"))
    with pytest.raises(CaptureError, match="nested"):
        list(Trace(path))


@pytest.mark.parametrize("cut", range(0, 200, 9))
def test_names_of_enums_are_passed_over_whatever_their_lengths(cut: int, tmp_path: Path) -> None:
    names = [("A", 5), ("B" * 130, 5), ("C", 300), ("D", -40_000), ("E", 2**40), ("", 1)]
    table = b"".join(uint(len(name)) + name.encode() + value(number) for name, number in names)
    enum = b"\x09\x00" + uint(len(names)) + table + value(1)
    data = (
        b"\6\6\0" + b"\0\0\0\1f\1\1a\1\0" + enum + b"\0\1\0\0" + b"\0\0\0\1\0" + b"\x09\x00" + value(300) + b"\0\1\1\0"
    )
    path, codec = tmp_path / "enum.trace", pa.Codec("snappy")
    parts = [codec.compress(part, asbytes=True) for part in (data[:cut], data[cut:]) if part]
    path.write_bytes(b"at" + b"".join(struct.pack("<I", len(part)) + part for part in parts))
    assert [call.arguments for call in Trace(path) if call.complete] == [[1], [300]]


def test_arguments_by_name() -> None:
    call = Call(0, Signature("glClear", ("mask",)), [16384])
    assert call["mask"] == 16384
    with pytest.raises(ArgumentError, match="glClear has no argument color"):
        call["color"]


def test_a_writer_that_fails_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "never.trace"
    with pytest.raises(RuntimeError), TraceWriter(path) as writer:
        writer.write(Call(0, Signature("glFlush", ()), []))
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_calls_that_repeat_are_calls_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "many.trace"
    written = []
    with TraceWriter(path) as writer:
        for number in range(1500):
            signature = Signature(f"gl{number % 7 // 3}", ("a", "b", "c"))
            arguments = [number % 5, [0.5, float(number % 3)], b"x" * (number % 4)]
            written.append(Call(number, signature, arguments))
            # Some tell a result, the same one for long or another one each time, and the same calls then none.
            written[-1].result = (None, number // 500, number, [number % 2], "told")[number // 100 % 5]
            writer.write(written[-1])
    read = list(Trace(path))
    assert read == written
    assert [call.number for call in read] == list(range(1500))
    assert all(call.complete for call in read)
    read[0].arguments[0] = "changed"
    assert sum(call.arguments[0] == "changed" for call in read) == 1
