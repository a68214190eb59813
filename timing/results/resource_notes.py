"""Sentences about resources whose use suggests a change, from the activity and from what a replay counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..loading.attachment_use import loaded_and_overwritten, stored_unread
from ..loading.buffer_use import BufferUse, buffer_use
from ..loading.source import Activity
from ..loading.texel_use import TexelUse, texel_use

Row = dict[str, Any]
READ_BYTES = "memory.dram.read_bytes"
MOST_MINIFIED = 0.5
"""Share of minified quads from which on a texture without mipmaps gets a note."""
LEAST_USED = 0.25
"""Share of a buffer's bytes below which it gets a note."""
MOST_READ = 2.0
"""Reads from memory of each used line of a buffer from which on it gets a note."""


class RecordedUse:
    """Use of resources in the frames of an activity.

    Parameters
    ----------
    activity
        Recorded activity.
    line_bytes
        Of the caches' lines.
    """

    def __init__(self, activity: Activity, line_bytes: int) -> None:
        self.activity, self.unread, self.line_bytes = activity, stored_unread(activity), line_bytes
        surfaces = activity.table("surfaces", ["surface", "levels"]).to_pylist()
        self.levels = {row["surface"]: len(row["levels"]) for row in surfaces}

    def of(self, frame: int, rows: Sequence[Row]) -> FrameUse:
        """Use in a frame of the resources that have costs in it, rows as of `results.resources`."""
        return FrameUse(self, frame, rows)


class FrameUse:
    """Use of resources in one frame."""

    def __init__(self, recorded: RecordedUse, frame: int, rows: Sequence[Row]) -> None:
        activity = recorded.activity
        sizes = {row["buffer"]: row["size_bytes"] for row in rows if row["buffer"] is not None}
        self.texels: dict[tuple[int, int], TexelUse] = texel_use(activity, frame)
        self.buffers: dict[int, BufferUse] = buffer_use(activity, frame, sizes, recorded.line_bytes)
        self.levels, self.unread = recorded.levels, recorded.unread.get(frame, set())
        self.overwritten = loaded_and_overwritten(activity, frame)
        self.touched: dict[int, set[int]] = {}
        for row in rows:
            if row["kind"] == "texture":
                self.touched.setdefault(row["surface"], set()).add(row["level"])

    def columns(self, row: Row) -> Row:
        """Texels that a frame reads of a level, and bytes that it uses of a buffer; None where that is not known."""
        texels = self.texels.get((row["surface"], row["level"]))
        buffer = self.buffers.get(row["buffer"])
        return {
            "texels": None if texels is None else texels.fetched,
            "distinct_texels": None if texels is None else texels.distinct,
            "used_bytes": None if buffer is None else buffer.used_bytes,
        }

    def notes(self, row: Row, counted: Mapping[str, float]) -> list[str]:
        """Sentences about a resource.

        Parameters
        ----------
        row
            Its identity.
        counted
            Its costs in the frame.
        """
        if row["surface"] is not None:
            return [*self._of_texture(row), *self._of_attachment(row)]
        return self._of_buffer(row, counted) if row["buffer"] is not None else []

    def _of_texture(self, row: Row) -> list[str]:
        levels, touched = self.levels[row["surface"]], self.touched.get(row["surface"], set())
        texels = self.texels.get((row["surface"], row["level"]))
        if levels > 1 and touched and row["level"] == min(touched) > 0:
            return [f"level 0 to {row['level'] - 1} of {levels} are never read: a smaller texture would do"]
        # A shadow map cannot be blurred.
        colour = not str(row["format"]).startswith(("DEPTH", "STENCIL"))
        if levels == 1 and colour and texels is not None and texels.minified > MOST_MINIFIED:
            return [f"minified in {texels.minified:.0%} of its quads, and has no mipmaps"]
        return []

    def _of_attachment(self, row: Row) -> list[str]:
        key = row["surface"], row["level"]
        notes = []
        if key in self.unread:
            notes.append("stored, and cleared before anything reads it: invalidate it at the end of the pass")
        if key in self.overwritten:
            notes.append("loaded, and wholly overwritten: clear or invalidate it at the beginning of the pass")
        return notes

    def _of_buffer(self, row: Row, counted: Mapping[str, float]) -> list[str]:
        notes: list[str] = []
        used = self.buffers.get(row["buffer"])
        if not used or not used.used_bytes:
            return notes
        if used.used_bytes < LEAST_USED * row["size_bytes"]:
            notes.append(f"{used.used_bytes:,} of its {row['size_bytes']:,} bytes are used")
        if counted[READ_BYTES] > MOST_READ * used.line_bytes:
            notes.append(f"each used line is read {counted[READ_BYTES] / used.line_bytes:.1f} times from memory")
        return notes
