"""Captures of other tools become apitrace streams: each tool's importer plays what it reads into a `Recorder`.

An importer is a module or folder here with `NAME`, `recognizes`, which tells its files by their first bytes, and
`play`, which writes the stream; it needs a place in `_IMPORTERS` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from ..capture.call import CaptureError
from . import renderdoc
from .imported import Imported

HEAD_BYTES = 4096
IMPORTED = "tilegpu.imported"
"""Note in a stream about the tool whose capture it was."""


class Importer(Protocol):
    """Interface of an importer."""

    NAME: str

    def recognizes(self, head: bytes) -> bool:
        """Whether a file that begins so is for this importer."""

    def play(self, path: Path, output: Path, properties: dict[str, str], progress: Callable[[float], None]) -> Imported:
        """Write a capture as a stream."""


_IMPORTERS: tuple[Importer, ...] = (renderdoc,)
_OTHERS = {
    b"PK": "a ZIP; of an export of RenderDoc, name the .zip.xml beside it",
    b"at": "an apitrace file already, which all verbs take",
    b"\x1f\x8b": "compressed; an apitrace file needs no import",
}
"""Hints on files that no importer takes, by their first bytes."""


def import_capture(path: Path, output: Path, progress: Callable[[float], None] = lambda done: None) -> Imported:
    """Write a capture of another tool as an apitrace stream.

    Parameters
    ----------
    path
        Capture; what it is shows in its first bytes.
    output
        apitrace file to write; it appears when it is complete.
    progress
        Told how much is done, from 0 to 1.

    Raises
    ------
    CaptureError
        No importer takes the file, or it is damaged.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror or error}") from None
    for importer in _IMPORTERS:
        if importer.recognizes(head):
            return importer.play(path, output, {IMPORTED: importer.NAME}, progress)
    hint = next((text for start, text in _OTHERS.items() if head.startswith(start)), None)
    names = ", ".join(importer.NAME for importer in _IMPORTERS)
    raise CaptureError(f"{path}: {hint or f'not a capture of a tool that is imported ({names})'}")
