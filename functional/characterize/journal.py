"""Journal of a characterization at work: rows of the frames that are done, so that an interrupted run can go on."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from ..activity.output import naming
from ..errors import UserError
from .schema import FORMAT_VERSION, TABLES

Rows = dict[str, list[dict[str, Any]]]


class Journal:
    """Rows frame by frame, in a file next to the folder that they are for.

    The file stays if the run is interrupted; it goes when the run is complete, or ends because its input is wrong.

    Parameters
    ----------
    folder
        Folder of the characterization.
    purpose
        Source and options; rows of another purpose are of no use.

    Attributes
    ----------
    done
        Rows of the frames that an interrupted run has left, without its last frame.
    """

    def __init__(self, folder: Path, purpose: dict[str, Any]) -> None:
        self.path = folder.absolute().with_name(f".{folder.name}.characterizing")
        self._head = json.dumps({"format_version": FORMAT_VERSION, **purpose}, sort_keys=True)
        self.done = _read(self.path, self._head)[:-1]
        self._frames = 0
        self._file: TextIO

    def __enter__(self) -> Journal:
        self._file = self.path.open("w", encoding="utf-8")
        self._write(self._head)
        for rows in self.done:
            self.add(rows)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if error is None or isinstance(error, UserError) or self._frames < 2:
            self.path.unlink(missing_ok=True)

    def add(self, rows: Rows) -> None:
        """Append the rows of a frame."""
        self._write(json.dumps(rows))
        self._frames += 1

    def _write(self, line: str) -> None:
        with naming(self.path):
            self._file.write(line + "\n")
            self._file.flush()


def _read(path: Path, head: str) -> list[Rows]:
    """Rows of a journal of the same purpose, up to the first line that is damaged."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return []
    if not lines or lines[0] != head:
        return []
    found: list[Rows] = []
    for line in lines[1:]:
        try:
            rows = json.loads(line)
        except ValueError:
            break
        if not isinstance(rows, dict) or set(rows) != set(TABLES):
            break
        found.append(rows)
    return found
