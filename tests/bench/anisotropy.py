"""A capture with anisotropic filtering put in, for captured games come without it."""

from __future__ import annotations

from pathlib import Path

from tilegpu.functional.capture import Trace
from tilegpu.functional.capture.call import Call, Signature
from tilegpu.functional.capture.writer import TraceWriter

MIN_FILTER, MAX_ANISOTROPY = 0x2801, 0x84FE
SET = Signature("glTexParameterf", ("target", "pname", "param"))


def with_anisotropy(trace: Path, path: Path, anisotropy: float, frames: int) -> Path:
    """Write the first frames of a capture again, every texture that gets a minification filter with this anisotropy."""
    writer, seen = TraceWriter(path), 0
    for call in Trace(trace):
        writer.write(call)
        if call.name == "glTexParameteri" and call["pname"] == MIN_FILTER:
            writer.write(Call(0, SET, [call["target"], MAX_ANISOTROPY, anisotropy], call.thread))
        seen += call.ends_frame
        if seen == frames:
            break
    writer.close()
    return path
