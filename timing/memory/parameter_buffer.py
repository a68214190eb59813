"""Layout of the Parameter Buffer: a block of pointers for every tile, blocks for lists that grow longer,
then the primitives.

Blocks of a list that overflows are handed out in the order in which lists need them (Parallel Tile Rendering, 4.1.2,
fixes the room per tile; it does not say what happens beyond).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.timing.declare.parameters import Group, choice, number

from .address_map import PARAMETER_REGION

DROPPED, ONE_LINE = "dropped", "line"
Integers = np.ndarray[Any, np.dtype[np.int64]]


class ParameterBuffer(Group, section="parameter_buffer"):
    """Layout of the Parameter Buffer."""

    attribute_bytes: int = number(
        48, "bytes", "one attribute of a primitive: three vertices of 16 bytes (thesis 4.1.2)", 1, 4096
    )
    pointer_bytes: int = number(4, "bytes", "pointer to a primitive in a tile's list", 1, 64, silent=(2, 8))
    list_primitives: int = number(
        1264, "primitives", "room in a block of a tile's list (thesis 4.1.2); longer lists chain blocks", 1, 1 << 20
    )
    clear_bytes: int = number(16, "bytes", "record of a clear between draws", 1, 4096, silent=(4, 64))
    levels: int = number(
        1,
        "levels",
        "sizes of bins that have lists: tiles, and squares of 2, 4, 8, … of them a side; a primitive is listed in the "
        "smallest whose side is no shorter than its own, counted in tiles",
        1,
        8,
        silent=(1, 8),
    )
    overlap: str = choice(
        "exact",
        {"exact": "those its area touches", "bounding_box": "those its bounding box touches"},
        "which tiles a primitive falls into",
        silent=("bounding_box",),
    )
    attribute_alignment: str = choice(
        "none",
        {
            "none": "one behind the other; one that straddles two lines takes two accesses",
            ONE_LINE: "each within as few lines as it fits, its size rounded up to the next power of two: one access "
            "for each, as the thesis counts them (4.1.2)",
        },
        "where attributes of a primitive begin",
        silent=(ONE_LINE,),
    )
    dead_lines: str = choice(
        "written_back",
        {
            "written_back": "as any other line, when they give way",
            DROPPED: "dropped from all caches when the tiles of the pass are done, as no one reads them again",
        },
        "lines of the Parameter Buffer that are still in caches behind their pass",
        silent=(DROPPED,),
    )


def attribute_room(layout: ParameterBuffer) -> int:
    """Bytes from the beginning of an attribute to that of the next."""
    if layout.attribute_alignment != ONE_LINE:
        return layout.attribute_bytes
    return 1 << (layout.attribute_bytes - 1).bit_length()


def record_bytes(layout: ParameterBuffer, attributes: Integers, clear: Any) -> Integers:
    """Sizes of the records of primitives.

    Parameters
    ----------
    attributes
        Of each, its position among them.
    clear
        Whether it is a clear, bool.
    """
    room = attribute_room(layout)
    # What lies behind a clear has to be aligned, too.
    of_clear = layout.clear_bytes if layout.attribute_alignment != ONE_LINE else -(-layout.clear_bytes // room) * room
    return np.where(clear, of_clear, attributes * room)


def block_bytes(layout: ParameterBuffer, line_bytes: int) -> int:
    """Size of a block of pointers, in whole lines."""
    return -(-layout.list_primitives * layout.pointer_bytes // line_bytes) * line_bytes


def pointers(
    layout: ParameterBuffer,
    line_bytes: int,
    tile: Integers,
    position: Integers,
    primitive: Integers,
    tiles: int,
    region: int = PARAMETER_REGION,
) -> tuple[Integers, int]:
    """Addresses of the pointers in the tiles' lists, and of what follows the lists.

    Parameters
    ----------
    tile, position, primitive
        For each pointer: its tile or bin (0 to tiles - 1), its place in that one's list, its primitive.
    region
        Where the buffer begins.
    """
    size = block_bytes(layout, line_bytes)
    chained, inside = np.divmod(position, layout.list_primitives)
    block = tile.copy()
    overflow = np.flatnonzero((chained > 0) & (inside == 0))
    order = overflow[np.lexsort((tile[overflow], primitive[overflow]))]
    numbers = dict(
        zip(
            zip(tile[order].tolist(), chained[order].tolist(), strict=True),
            range(tiles, tiles + len(order)),
            strict=True,
        )
    )
    for i in np.flatnonzero(chained > 0):
        block[i] = numbers[int(tile[i]), int(chained[i])]
    address = region + block * size + inside * layout.pointer_bytes
    return address, region + (tiles + len(order)) * size
