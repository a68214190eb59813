"""Journal of a characterization at work: rows of the frames that are done, so that an interrupted run can go on."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from ..activity.output import naming, whole_file
from ..errors import UserError
from .schema import COUNTED, FORMAT_VERSION

Rows = dict[str, list[dict[str, Any]]]
LEAST_FRAMES = 2
"""Frames that make a journal worth keeping, as the last one is done again."""


class Journal:
    """Rows frame by frame, in a file. Its length is the number of frames in the file.

    Within a context, frames are appended to those that an interrupted run has left, but for the last of these: a stream
    that ends there has at least one more. The file stays, also if the run is interrupted, unless its input is wrong.

    Parameters
    ----------
    path
        The file.
    purpose
        Source and options; rows of another purpose are of no use.
    """

    def __init__(self, path: Path, purpose: dict[str, Any]) -> None:
        self.path = path
        self._head = json.dumps({"format_version": FORMAT_VERSION, **purpose}, sort_keys=True)
        self._file: TextIO | None = None
        self._frames = 0

    def __enter__(self) -> Journal:
        done = self.read()[:-1]
        # What an interrupted run has left stays if there is no room for it a second time.
        with whole_file(self.path, f".{os.getpid()}") as partial:
            partial.write_text("".join(f"{line}\n" for line in (self._head, *map(json.dumps, done))), "utf-8")
        self._file, self._frames = self.path.open("a", encoding="utf-8"), len(done)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            # What could not be written is of no use, and the reason is known already.
            with suppress(OSError):
                self._file.close()
            self._file = None
        if isinstance(error, UserError) or (error is not None and self._frames < LEAST_FRAMES):
            self.drop()

    def __len__(self) -> int:
        return self._frames if self._file is not None else max(0, len(self._lines()) - 1)

    def add(self, rows: Rows) -> None:
        """Append the rows of a frame."""
        self._write(json.dumps(rows))
        self._frames += 1

    def _write(self, line: str) -> None:
        assert self._file is not None
        with naming(self.path):
            self._file.write(line + "\n")
            self._file.flush()

    def drop(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def read(self) -> list[Rows]:
        """Rows of the file's frames, up to the first line that is damaged; none if it has another purpose."""
        frames: list[Rows] = []
        for line in self._lines()[1:]:
            try:
                rows = json.loads(line)
            except ValueError:
                break
            if not isinstance(rows, dict) or set(rows) != set(COUNTED):
                break
            frames.append(rows)
        return frames

    def _lines(self) -> list[str]:
        """Lines of the file, none if it has another purpose."""
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except (OSError, ValueError):
            return []
        return lines if lines and lines[0] == self._head else []
