"""Rows of surfaces: formats, and how many bytes a pixel takes."""

from pathlib import Path

import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

SIZE = 8


@pytest.mark.parametrize(
    ("internal", "name", "pixel_bytes"),
    [
        (gl.RGB565, "RGB565", 2),
        (gl.RGBA16F, "RGBA16F", 8),
        (gl.STENCIL_INDEX8, "STENCIL8", 1),
        (gl.DEPTH_COMPONENT16, "DEPTH16", 2),
        (gl.DEPTH_COMPONENT24, "DEPTH24", 4),
        (gl.DEPTH24_STENCIL8, "DEPTH24_STENCIL8", 4),
        (gl.DEPTH_COMPONENT32F, "DEPTH32F", 4),
        # Mesa's Z32_FLOAT_S8X24_UINT: 24 bits are unused.
        (gl.DEPTH32F_STENCIL8, "DEPTH32F_STENCIL8", 8),
    ],
)
def test_bytes_of_a_renderbuffers_pixel(internal: int, name: str, pixel_bytes: int, tmp_path: Path) -> None:
    point = {"STENCIL8": gl.STENCIL_ATTACHMENT}.get(name, gl.DEPTH_ATTACHMENT)
    with Recorder(tmp_path / "a.trace", SIZE, SIZE, 3) as r:
        r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
        r.glBindRenderbuffer(gl.RENDERBUFFER, r.glGenRenderbuffers(1)[0])
        r.glRenderbufferStorage(gl.RENDERBUFFER, internal, SIZE, SIZE)
        attachment = gl.COLOR_ATTACHMENT0 if name.startswith("RGB") else point
        r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, 1)
        r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
        r.swap()
    record(tmp_path / "a.trace", tmp_path / "a")
    (row,) = (row for row in Activity(tmp_path / "a").table("surfaces").to_pylist() if row["kind"] == "renderbuffer")
    assert (row["format"], row["block_bytes"]) == (name, pixel_bytes)
    assert (row["block_width"], row["block_height"], row["samples"]) == (1, 1, 1)
