"""Files and folders that verbs write: what is a user's own is not lost without --force."""

from __future__ import annotations

import filecmp
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilegpu.functional.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ours = Callable[[Path], bool]
"""Whether a file is of an earlier run of the same command, so that it may be replaced."""
END_BYTES = 4096
"""Read of either end of a file."""
PICTURE = "tilegpu"
"""Text in pictures that are made here, but for frames."""

Force = Annotated[bool, typer.Option("--force", help="Replace files that tilegpu did not write.")]


class OutputError(UserError):
    """Output that would replace what is not tilegpu's; the message says what to do."""


def begins_with(*marks: bytes) -> Ours:
    """Files that begin with one of these."""
    return lambda path: _head(path).startswith(marks)


def holds(mark: bytes) -> Ours:
    """Files that hold this near their beginning or end."""
    return lambda path: mark in _head(path) or mark in _tail(path)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(END_BYTES)


def _tail(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - END_BYTES))
        return file.read()


def none_ours(path: Path) -> bool:
    """No file may be replaced."""
    return False


def is_table_of(mark: bytes) -> Ours:
    """Parquet tables whose schema has a key."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def has_key(path: Path) -> bool:
        try:
            return mark in (pq.read_schema(path).metadata or {})
        except (pa.ArrowException, OSError):
            return False

    return has_key


def has_property(name: str) -> Ours:
    """Captured streams with a note about the program of this name."""
    from tilegpu.functional.capture import CaptureError, Trace

    def is_noted(path: Path) -> bool:
        try:
            return name in Trace(path).properties
        except CaptureError:
            return False

    return is_noted


def is_copy_of(original: Path) -> Ours:
    """Files of the same content, which lose nothing."""
    return lambda path: filecmp.cmp(path, original, shallow=False)


is_png = begins_with(b"\x89PNG\r\n\x1a\n")
is_our_picture = holds(PICTURE.encode())
FRAME_FILES: Mapping[str, Ours] = {r"frame_\d{4,}\.png": is_png}
"""By name, files in a folder of frames."""


def check_file(path: Path, ours: Ours, force: bool, other: str = "not of an earlier run") -> None:
    """Refuse to write where something else would be lost.

    Parameters
    ----------
    path
        File to write.
    ours
        Tells what may be replaced.
    force
        Whether other files may be, too.
    other
        What another file is, for the message.

    Raises
    ------
    OutputError
        If another file or a folder is there.
    OSError
        If nothing can be written there.
    """
    from tilegpu.functional.activity.output import check_place

    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file")
    if path.is_file() and not force and not ours(path):
        raise OutputError(f"{path}: exists and is {other}; choose another name or pass --force")
    check_place(path)


def check_not_input(path: Path, source: Path) -> None:
    """Refuse to write a capture over the one that is read; OutputError if both are the same file."""
    if path.exists() and source.exists() and path.samefile(source):
        raise OutputError(f"{path}: is the capture itself; choose another name")


def check_files_in(folder: Path, ours: Mapping[str, Ours], force: bool) -> None:
    """Refuse to write into a folder that holds something else.

    Parameters
    ----------
    folder
        Folder for several files.
    ours
        By the pattern of a name, files of an earlier run.
    force
        Whether it may hold other things, which files of the same name replace.

    Raises
    ------
    OutputError
        If it is a file, or holds something else.
    OSError
        If nothing can be written there.
    """
    from tilegpu.functional.activity.output import check_place

    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder}: exists and is no folder; choose another name")
    if not folder.exists() and guess_type(folder.name)[0] is not None:
        raise OutputError(f"{folder}: is called as a file, and several files are written; name a folder")
    for path in sorted(folder.iterdir()) if folder.is_dir() and not force else ():
        # Nothing of ours has such a name, so nothing of that name is replaced.
        hidden = path.name.startswith(".")
        if not hidden and not any(re.fullmatch(name, path.name) and _is(path, of) for name, of in ours.items()):
            raise OutputError(f"{folder}: holds {path.name}, which is not of an earlier run; choose another folder or "
                              "pass --force")  # fmt: skip
    check_place(folder)


def _is(path: Path, ours: Ours) -> bool:
    return path.is_file() and ours(path)


@contextmanager
def frame_folder(folder: Path, force: bool) -> Iterator[Callable[[int, NDArray[np.uint8]], None]]:
    """Function that writes frames into a folder within a context; new ones go again if that ends in an error.

    Raises
    ------
    OutputError, OSError
        As of `check_files_in`.
    """
    from tilegpu.functional.images import write_png

    check_files_in(folder, FRAME_FILES, force)
    absent = [path for path in (folder, *folder.parents) if not path.exists()]
    written: list[Path] = []

    def write(number: int, pixels: NDArray[np.uint8]) -> None:
        path = folder / f"frame_{number:04d}.png"
        if not path.exists():
            written.append(path)
        write_png(pixels, path)

    try:
        yield write
    except UserError:
        with suppress(OSError):
            for path in written:
                path.unlink()
            for path in absent:
                path.rmdir()
        raise
