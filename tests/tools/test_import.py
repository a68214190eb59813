"""`tilegpu import` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.export import beginning, chunk, frame, whole, write

from .test_bad_input import refused


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A RenderDoc capture of a frame that calls what cannot be carried over."""
    return write(tmp_path / "frame.zip.xml", [*beginning(8), *frame(8, chunk("glBegin", whole("mode", 4)))])


def test_a_capture_becomes_a_stream_of_two_frames(tilegpu, export: Path, tmp_path: Path) -> None:
    stream = tmp_path / "a.trace"
    done = tilegpu("import", export, "-o", stream)
    assert done.status == 0
    assert done.out.startswith(f"2 frames in {stream}, captured with RenderDoc from OpenGL ES")
    assert "not carried over: glBegin (1 time)" in done.err
    assert "2 frames, 8x8, OpenGL ES 3" in tilegpu("info", stream).out
    # It made the file itself, and may replace it.
    again = tilegpu("import", export, "-o", stream, "--json", "--strict")
    assert again.status == 1
    assert json.loads(again.out)["missing"] == {"glBegin": 1}


def test_what_is_not_a_capture_writes_nothing(tilegpu, export: Path, tmp_path: Path) -> None:
    stream = tmp_path / "a.trace"
    refused(tilegpu("import", tmp_path / "absent.rdc", "-o", stream), "absent.rdc")
    refused(tilegpu("import", tmp_path, "-o", stream), str(tmp_path))
    refused(tilegpu("import", export.with_suffix(""), "-o", stream), "frame.zip", ".zip.xml")
    export.write_bytes(export.read_bytes()[:-50])
    refused(tilegpu("import", export, "-o", stream), "frame.zip.xml", "export it again")
    assert not stream.exists()


def test_files_of_others_are_kept(tilegpu, export: Path, tmp_path: Path) -> None:
    (tmp_path / "a.trace").write_text("mine")
    refused(tilegpu("import", export, "-o", tmp_path / "a.trace"), "a.trace", "--force")
    refused(tilegpu("import", export, "-o", export, "--force"), "frame.zip.xml")
    assert (tmp_path / "a.trace").read_text() == "mine"
    assert tilegpu("import", export, "-o", tmp_path / "a.trace", "--force").status == 0
