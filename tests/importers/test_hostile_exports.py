"""Exports that are cut off, foreign or made to harm: one line, and no file."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tilegpu.functional.capture import CaptureError
from tilegpu.functional.importers import import_capture
from tilegpu.functional.importers.renderdoc import chunks as reading

from .export import Buffers, array, beginning, chunk, frame, leaf, thing, whole, write

SIZE = 8


def refused(path: Path, *told: str) -> None:
    output = path.parent / "out.trace"
    with pytest.raises(CaptureError) as caught:
        import_capture(path, output)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path.parent) in message
    for text in told:
        assert text in message
    assert not list(path.parent.glob("*out.trace*"))


def data(buffers: Buffers) -> list[str]:
    size = whole("bytesize", 4)
    made = chunk("glGenBuffers", whole("n", 1), thing("buffer", 40))
    return [
        made,
        chunk("glBufferData", thing("buffer", 40), size, buffers.add("data", b"abcd"), whole("usage", 0x88E4)),
    ]


def good(tmp_path: Path) -> Path:
    buffers = Buffers()
    return write(tmp_path / "a.zip.xml", [*beginning(SIZE), *data(buffers), *frame(SIZE)], buffers)


def test_a_document_type_is_refused_before_its_entities_are_read(tmp_path: Path) -> None:
    path = good(tmp_path)
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    text = path.read_text().replace("<rdc>", f'<!DOCTYPE rdc [<!ENTITY l0 "ha">{laughs}]><rdc>', 1)
    path.write_text(text.replace("<chunk ", "<chunk note='&l11;' ", 1))
    refused(path, "document type")


def test_every_beginning_of_a_file_is_refused(tmp_path: Path) -> None:
    path = good(tmp_path)
    whole_text = path.read_bytes()
    for size in range(100, len(whole_text) - 20, len(whole_text) // 12):
        path.write_bytes(whole_text[:size])
        refused(path)


@pytest.mark.parametrize("driver", ["Vulkan", "D3D11"])
def test_other_apis_are_refused_by_name(tmp_path: Path, driver: str) -> None:
    refused(write(tmp_path / "a.zip.xml", [*beginning(SIZE), *frame(SIZE)], driver=driver), driver)


def test_files_of_no_tool(tmp_path: Path) -> None:
    for name, content, told in (
        ("a.bin", b"no capture", "RenderDoc"),
        ("a.zip", b"PK\x03\x04", "name the .zip.xml"),
        ("a.trace.in", b"at\x00\x00", "apitrace"),
        ("a.xml", b'<?xml version="1.0"?><svg/>', "RenderDoc"),
    ):
        (tmp_path / name).write_bytes(content)
        refused(tmp_path / name, told)
    refused(tmp_path / "absent.rdc", "No such file")


def test_an_rdc_needs_renderdoccmd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.rdc"
    path.write_bytes(b"RDOC" + bytes(100))
    monkeypatch.setenv("PATH", str(tmp_path))
    refused(path, "renderdoccmd", ".zip.xml")
    command = tmp_path / "renderdoccmd"
    command.write_text("#!/bin/sh\necho 'file is corrupt' >&2\nexit 1\n")
    command.chmod(0o755)
    refused(path, "file is corrupt")


def test_the_zip_is_missing(tmp_path: Path) -> None:
    path = good(tmp_path)
    path.with_suffix("").unlink()
    refused(path, "a.zip", "two files")


@pytest.mark.parametrize("content", [b"abc", b"abcde", b"a" * 100_000])
def test_a_buffer_of_another_size_than_declared(tmp_path: Path, content: bytes) -> None:
    path = good(tmp_path)
    with zipfile.ZipFile(path.with_suffix(""), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("000000", content)
    refused(path, "000000", "4 bytes")


def test_a_damaged_or_empty_zip(tmp_path: Path) -> None:
    path = good(tmp_path)
    content = path.with_suffix("").read_bytes()
    path.with_suffix("").write_bytes(content[:-30])
    refused(path, "a.zip")
    zipfile.ZipFile(path.with_suffix(""), "w").close()
    refused(path, "no buffer")


def test_numbers_that_are_none(tmp_path: Path) -> None:
    for text in ("1e3", "9" * 30, "", "../../etc/passwd"):
        bad = chunk("glEnable", leaf("enum", "cap", text))
        refused(write(tmp_path / "a.zip.xml", [*beginning(SIZE), *frame(SIZE, bad)]), "glEnable", "whole number")
    for text in ("../../etc/passwd", "-1", "x"):
        named = leaf("buffer", "data", text, 'byteLength="4"')
        bad = chunk("glBufferData", thing("buffer", 40), whole("bytesize", 4), named, whole("usage", 1))
        made = chunk("glGenBuffers", whole("n", 1), thing("buffer", 40))
        refused(write(tmp_path / "a.zip.xml", [*beginning(SIZE), made, bad, *frame(SIZE)]))


def test_chunks_that_lack_what_they_stand_for(tmp_path: Path) -> None:
    for name in ("glBufferData", "glTexImage2D", "glShaderSource", "glDrawArrays", "glUniform4fv", "glLinkProgram"):
        refused(write(tmp_path / "a.zip.xml", [*beginning(SIZE), *frame(SIZE, chunk(name))]), name, "it has no")


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_NODES", 500)
    deep = "<array>" * 40 + "</array>" * 40
    for bad in (array("values", [whole("", 1)] * 501), deep):
        refused(write(tmp_path / "a.zip.xml", [*beginning(SIZE), *frame(SIZE, chunk("glFlush", bad))]), "more than")
    monkeypatch.setattr(reading, "MAX_BUFFER_BYTES", 3)
    refused(good(tmp_path), "buffers of more than")


def test_a_window_of_no_size(tmp_path: Path) -> None:
    refused(write(tmp_path / "a.zip.xml", [*beginning(0), *frame(0)]), "size")
    refused(write(tmp_path / "a.zip.xml", [*beginning(1 << 20), *frame(1 << 20)]), "size")
