"""Blocks of texels that frames use: rows of a table, and which of them no frame before has used."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..pipeline.fused.texel_marks import MarkedTexture, TexelMarks

TABLE = "texel_blocks"
USED, FIRST_USED = "texel_blocks", "texel_blocks_first_used"
"""Columns of the table of frames."""
Bits = NDArray[np.uint8]
Row = dict[str, Any]


def rows_of(frame: int, marks: Iterable[TexelMarks]) -> list[Row]:
    """Rows of a frame, of all textures that were marked; marks are taken."""
    found: dict[MarkedTexture, Bits] = {}
    for one in marks:
        # A texture that got another size within the frame has several.
        found[one.texture] = united(found.get(one.texture), one.take())
    return [
        {"frame": frame, **texture._asdict(), "blocks": number_of(bits), "used": packed(bits)}
        for texture, bits in sorted(found.items())
        if bits.any()
    ]


def united(one: Bits | None, other: Bits) -> Bits:
    """Blocks that either has."""
    if one is None:
        return other
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    both = longer.copy()
    both[: len(shorter)] |= shorter
    return both


def number_of(bits: Bits) -> int:
    """Number of bits that are set."""
    return int(np.unpackbits(bits).sum())


def packed(bits: Bits) -> str:
    """Bits as text of a journal."""
    return base64.b64encode(zlib.compress(bits.tobytes(), 1)).decode("ascii")


def unpacked(used: bytes) -> Bits:
    """Bits as the table holds them."""
    return np.frombuffer(zlib.decompress(used), np.uint8)


class UsedBlocks:
    """Blocks that frames have used.

    Attributes
    ----------
    count
        How many.
    """

    def __init__(self) -> None:
        self.count = 0
        self._used: dict[MarkedTexture, Bits] = {}
        self._last: dict[MarkedTexture, bytes] = {}

    def add(self, rows: Iterable[Row]) -> int:
        """Add rows of the table; how many of their blocks were not there before."""
        before = self.count
        for row in rows:
            texture = MarkedTexture(row["surface"], row["first_level"])
            # Most frames use what the one before has used.
            if self._last.get(texture) == row["used"]:
                continue
            self._last[texture] = row["used"]
            known = self._used.get(texture)
            now = united(known, unpacked(row["used"]))
            self._used[texture] = now
            self.count += number_of(now) - (0 if known is None else number_of(known))
        return self.count - before


def by_frame(table: pa.Table, frames: Sequence[int]) -> dict[int, list[Row]]:
    """Rows of some frames of the table."""
    found: dict[int, list[Row]] = {frame: [] for frame in frames}
    for row in table.filter(pc.is_in(table["frame"], pa.array(list(found), pa.int32()))).to_pylist():
        found[row["frame"]].append(row)
    return found


def with_first_uses(frames: Iterable[dict[str, list[Row]]]) -> Iterator[dict[str, list[Row]]]:
    """Rows of frames in order as journals hold them, completed with the columns that depend on all frames before."""
    used = UsedBlocks()
    for rows in frames:
        blocks = [row | {"used": base64.b64decode(row["used"])} for row in rows[TABLE]]
        first = used.add(blocks)
        yield rows | {TABLE: blocks, "frames": [row | {FIRST_USED: first} for row in rows["frames"]]}
