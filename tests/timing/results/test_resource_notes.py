"""What a frame's use of a resource suggests, on captures whose texels and bytes are counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.resource_ranges import resource_ranges
from tilegpu.timing.results.resource_notes import READ_BYTES, FrameUse, RecordedUse

SIDE = 16
VERTEX = """attribute vec2 place; varying vec2 at;
void main() { at = place * 0.5 + 0.5; gl_Position = vec4(place, 0.0, 1.0); }"""
TEXTURED = """precision highp float; uniform sampler2D image; varying vec2 at;
void main() { gl_FragColor = texture2D(image, at); }"""
PLAIN = "precision highp float; varying vec2 at; void main() { gl_FragColor = vec4(at, 0.0, 0.5); }"
CORNERS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], np.float32)
Paint = Callable[[Recorder], None]


def texture(r: Recorder, side: int, minimum: int, maximum: int = gl.NEAREST, mipmaps: bool = False) -> int:
    """A texture that is bound, with filters."""
    name: int = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexImage2D(
        gl.TEXTURE_2D, 0, gl.RGBA, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, np.zeros((side, side, 4), np.uint8)
    )
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, minimum)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, maximum)
    if mipmaps:
        r.glGenerateMipmap(gl.TEXTURE_2D)
    return name


def fill(r: Recorder, fragment: str) -> None:
    """Draw all pixels from a buffer of corners."""
    r.glUseProgram(r.program(VERTEX, fragment, ("place",)))
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, CORNERS.nbytes, CORNERS, gl.STATIC_DRAW)
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, 0)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)


def use_of(tmp_path: Path, paint: Paint, frames: int = 1) -> tuple[FrameUse, list[dict[str, object]]]:
    """Use of resources in the first frame of a capture, and the rows of all."""
    with Recorder(tmp_path / "a.trace", SIDE, SIDE) as r:
        paint(r)
        for _ in range(frames):
            r.swap()
    record(tmp_path / "a.trace", tmp_path / "activity")
    loader = Loader(tmp_path / "activity", load_configuration("ptr-2022"))
    rows = resource_ranges(loader.source, loader.resources).rows
    return RecordedUse(loader.source, 64).of(0, rows), rows


def notes_of(use: FrameUse, rows: list[dict[str, object]], kind: str, read_bytes: float = 0) -> list[str]:
    """Notes of all resources of a kind."""
    return [note for row in rows if row["kind"] == kind for note in use.notes(row, {READ_BYTES: read_bytes})]


@pytest.mark.parametrize(
    "side, linear, fetched, distinct, minified",
    [
        # The eight quads on the diagonal belong to both triangles: 72 quads of four lanes.
        (16, False, 288, 256, 0.0),
        # Each lane takes 2x2 texels.
        (16, True, 1152, 256, 0.0),
        # Each texel is taken by 4x4 pixels.
        (4, False, 288, 16, 0.0),
        # One in four texels each way is taken.
        (64, False, 288, 256, 1.0),
    ],
)
def test_texels(tmp_path: Path, side: int, linear: bool, fetched: int, distinct: int, minified: float) -> None:
    def paint(r: Recorder) -> None:
        chosen = gl.LINEAR if linear else gl.NEAREST
        texture(r, side, chosen, chosen)
        fill(r, TEXTURED)

    use, rows = use_of(tmp_path, paint)
    ((found),) = use.texels.values()
    assert (found.fetched, found.distinct, found.minified) == (fetched, distinct, minified)
    assert notes_of(use, rows, "texture") == (["minified in 100% of its quads, and has no mipmaps"] if minified else [])


def test_levels_that_are_never_read(tmp_path: Path) -> None:
    def paint(r: Recorder) -> None:
        texture(r, 64, gl.NEAREST_MIPMAP_NEAREST, mipmaps=True)
        fill(r, TEXTURED)

    use, rows = use_of(tmp_path, paint)
    # 64 texels for 16 pixels: level 2.
    assert [key[1] for key in use.texels] == [2]
    used = [row for row in rows if row["kind"] == "texture" and row["level"] == 2]
    use.touched = {row["surface"]: {2} for row in used}
    assert notes_of(use, used, "texture") == ["level 0 to 1 of 7 are never read: a smaller texture would do"]


@pytest.mark.parametrize(
    "second, expected",
    [
        ("clear", ["stored, and cleared before anything reads it: invalidate it at the end of the pass"]),
        ("overwrite", ["loaded, and wholly overwritten: clear or invalidate it at the beginning of the pass"]),
        ("blend", []),
        ("read", []),
    ],
)
def test_attachments(tmp_path: Path, second: str, expected: list[str]) -> None:
    def paint(r: Recorder) -> None:
        image = texture(r, SIDE, gl.NEAREST)
        target = r.glGenFramebuffers(1)[0]
        r.glBindFramebuffer(gl.FRAMEBUFFER, target)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, image, 0)
        r.glClear(gl.COLOR_BUFFER_BIT)
        fill(r, PLAIN)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        fill(r, TEXTURED if second == "read" else PLAIN)
        r.glBindFramebuffer(gl.FRAMEBUFFER, target)
        if second in ("clear", "read"):
            r.glClear(gl.COLOR_BUFFER_BIT)
        if second == "blend":
            r.glEnable(gl.BLEND)
            r.glBlendFunc(gl.ONE, gl.ONE)
        fill(r, PLAIN)
        r.glDisable(gl.BLEND)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        fill(r, TEXTURED)

    use, rows = use_of(tmp_path, paint)
    assert notes_of(use, rows, "texture") == expected


def test_bytes_of_buffers(tmp_path: Path) -> None:
    def paint(r: Recorder) -> None:
        r.glUseProgram(r.program(VERTEX, PLAIN, ("place",)))
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, 512, np.resize(CORNERS, (64, 2)), gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        # Every second vertex is skipped.
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 16, 0)
        r.glDrawArrays(gl.TRIANGLES, 0, 6)
        r.glDrawArrays(gl.TRIANGLES, 0, 9)

    use, rows = use_of(tmp_path, paint)
    # Nine corners of 16 bytes from the first line on: three lines.
    assert list(use.buffers.values()) == [(9 * 8, 3 * 64)]
    assert notes_of(use, rows, "buffer", read_bytes=3 * 64) == ["72 of its 512 bytes are used"]
    assert notes_of(use, rows, "buffer", read_bytes=7 * 64) == [
        "72 of its 512 bytes are used",
        "each used line is read 2.3 times from memory",
    ]
