"""Blocks of 64 bytes that frames use: rows of tables, and which of them no frame before has used."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Bits = NDArray[np.uint8]
Row = dict[str, Any]


class BlockKind(NamedTuple):
    """Blocks of textures or of buffers.

    Attributes
    ----------
    name
        As plans call them.
    table
        Table that says which blocks a frame uses, and column of the table of frames that says how many.
    of
        Columns of the table that say what the blocks belong to.
    """

    name: str
    table: str
    of: tuple[str, ...]

    @property
    def first_used(self) -> str:
        """Column of the table of frames: blocks that no frame before has used."""
        return f"{self.table}_first_used"


TEXELS = BlockKind("texels", "texel_blocks", ("surface", "first_level"))
BUFFERS = BlockKind("buffers", "buffer_blocks", ("buffer",))
KINDS = TEXELS, BUFFERS


def rows_of(frame: int, kind: BlockKind, used: Mapping[tuple[int, ...], Bits]) -> list[Row]:
    """Rows of a frame, by what the blocks belong to; bits come with the lowest first."""
    rows = []
    for of, bits in sorted(used.items()):
        blocks, text = _counted(bits.tobytes())
        if blocks:
            rows.append({"frame": frame, **dict(zip(kind.of, of, strict=True)), "blocks": blocks, "used": text})
    return rows


@lru_cache(maxsize=128)
def _counted(bits: bytes) -> tuple[int, str]:
    """Number of bits that are set, and the bits as text of a journal: those of most frames are those of the one
    before."""
    return number_of(bits), base64.b64encode(zlib.compress(bits, 1)).decode("ascii")


def united(one: Bits | None, other: Bits) -> Bits:
    """Blocks that either has."""
    if one is None:
        return other
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    both = longer.copy()
    both[: len(shorter)] |= shorter
    return both


def number_of(bits: Bits | bytes) -> int:
    """Number of bits that are set."""
    return int.from_bytes(bits, "little").bit_count()


def unpacked(used: bytes) -> Bits:
    """Bits as the table holds them."""
    return np.frombuffer(zlib.decompress(used), np.uint8)


class UsedBlocks:
    """Blocks that frames have used.

    Parameters
    ----------
    kind
        Their kind.

    Attributes
    ----------
    count
        How many.
    """

    def __init__(self, kind: BlockKind) -> None:
        self.kind, self.count = kind, 0
        self._used: dict[tuple[int, ...], Bits] = {}
        self._last: dict[tuple[int, ...], bytes] = {}

    def add(self, rows: Iterable[Row]) -> int:
        """Add rows of the table; how many of their blocks were not there before."""
        before = self.count
        for row in rows:
            of = tuple(row[name] for name in self.kind.of)
            # Most frames use what the one before has used.
            if self._last.get(of) == row["used"]:
                continue
            self._last[of] = row["used"]
            earlier = self._used.get(of)
            now = united(earlier, unpacked(row["used"]))
            self._used[of] = now
            self.count += number_of(now) - (0 if earlier is None else number_of(earlier))
        return self.count - before


def by_frame(table: pa.Table, frames: Sequence[int]) -> dict[int, list[Row]]:
    """Rows of some frames of the table."""
    rows_of_frames: dict[int, list[Row]] = {frame: [] for frame in frames}
    for row in table.filter(pc.is_in(table["frame"], pa.array(list(rows_of_frames), pa.int32()))).to_pylist():
        rows_of_frames[row["frame"]].append(row)
    return rows_of_frames


def with_first_uses(frames: Iterable[dict[str, list[Row]]]) -> Iterator[dict[str, list[Row]]]:
    """Rows of frames in order as journals hold them, completed with the columns that depend on all frames before."""
    used = [UsedBlocks(kind) for kind in KINDS]
    for rows in frames:
        blocks, first = {}, {}
        for blocks_of_kind in used:
            table = blocks_of_kind.kind.table
            blocks[table] = [row | {"used": base64.b64decode(row["used"])} for row in rows[table]]
            first[blocks_of_kind.kind.first_used] = blocks_of_kind.add(blocks[table])
        yield rows | blocks | {"frames": [row | first for row in rows["frames"]]}
