"""Writes row groups, in a separate thread if threads are allowed."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from ..activity import ActivityWriter
from .row_group import RowGroup


class RowWriting:
    """Writes row groups in the order in which they are passed in.

    Parameters
    ----------
    writer
        Writer of the columns.
    jobs
        With more than one, a row group is written while the next one is being filled.

    Attributes
    ----------
    row_groups
        Number of frames of each row group passed in.
    """

    def __init__(self, writer: ActivityWriter, jobs: int = 1) -> None:
        self.row_groups: list[int] = []
        self._writer = writer
        self._thread = ThreadPoolExecutor(1) if jobs > 1 else None
        self._last: Future[RowGroup] | None = None

    def write(self, rows: RowGroup) -> RowGroup:
        """Write a row group; returns an empty one to continue with.

        Raises
        ------
        OSError, ArrowException
            This row group or the previous one could not be written.
        """
        if not rows.frames:
            return rows
        self.row_groups.append(len(rows.frames))
        if self._thread is None:
            return self._write(rows)
        spare = RowGroup() if self._last is None else self._last.result()
        self._last = self._thread.submit(self._write, rows)
        return spare

    def _write(self, rows: RowGroup) -> RowGroup:
        for name, columns in rows.tables().items():
            self._writer.write(name, columns)
        rows.clear()
        return rows

    def wait(self) -> None:
        """Wait until everything is written; raises what `write` does."""
        if self._last is not None:
            self._last.result()

    def __enter__(self) -> RowWriting:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._thread.shutdown()
