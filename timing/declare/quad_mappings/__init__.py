"""Quad mappings: which Fragment Processor shades which quad of a tile (thesis 6.3, Fig. 6.3), as a declared table.

The pictures of Fig. 6.3 are lost: the seventeen are rebuilt from their names and from what 6.3 says about them.
`thesis` holds what the thesis says, `rebuilt` what was decided here. Where processors of several Raster Units share a
texture cache, those with the same number do, so the processor is the cache of Fig. 6.3.

A file of `quad_mappings/` in a folder of plug-ins that assigns `MAPPING` is one more; it has the name of its file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tilegpu.functional.errors import UserError

from ..policy_folders import PolicyFolder

Array = np.ndarray[Any, np.dtype[np.int64]]
Place = Callable[[Array, Array, int, int, int, int], Array]
"""Processor from column, row (from the top), width and height in quads, number of processors, and tile (0 to
variants - 1, in turn in the order of processing)."""


def morton(x: Array, y: Array) -> Array:
    """Numbers along a Z curve: the bits of x and y interleaved, x lowest."""
    code = np.zeros(np.broadcast(x, y).shape, np.int64)
    for bit in range(16):
        code |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1
    return code


@dataclass(frozen=True)
class Mapping:
    """One quad mapping.

    Parameters
    ----------
    name
        Name in a configuration.
    place
        Which processor.
    thesis
        What the thesis says; empty for mappings of this project.
    rebuilt
        What was decided here.
    variants
        Tiles after which the mapping repeats.
    order
        Order of tiles that it belongs to; None: any.
    """

    name: str
    place: Place
    thesis: str
    rebuilt: str
    variants: int = 1
    order: str | None = None


def _quadrant(x: Array, y: Array, w: int, h: int, n: int, tile: int) -> Array:
    return (morton(x * 256 // w, y * 256 // h) * n // 65536 + tile) % n


def _stripes(width: Callable[[int, int], int], mirrored: bool = False) -> Place:
    def place(x: Array, y: Array, w: int, h: int, n: int, tile: int) -> Array:
        column = w - 1 - x if mirrored and tile else x
        return column // width(w, n) % n

    return place


def _up_down(strip: int, run: Callable[[int, int], int], halves: bool = False) -> Place:
    """Strips of columns, passed down and up in turn; runs of quads along a strip go round the processors."""

    def place(x: Array, y: Array, w: int, h: int, n: int, tile: int) -> Array:
        along = np.where(x // strip % 2 == 1, h - 1 - y, y)
        if halves:
            along = along % max(1, h // 2)
        return along // run(h, n) % n

    return place


def _blocking(x: Array, y: Array, w: int, h: int, n: int, tile: int) -> Array:
    column = w - 1 - x if tile else x
    return morton(column // max(1, w // 4), y // max(1, h // 4)) % n


def _bands(fine: int) -> Place:
    def place(x: Array, y: Array, w: int, h: int, n: int, tile: int) -> Array:
        return y // max(1, h // (n * fine)) % n

    return place


ROUND_ROBIN = "round robin, so that all caches share edges of each tile"
VERTICAL = "the work is divided vertically; 2, 3 and 4 differ in granularity"
SNAKE = "the work is divided horizontally; tiles go in a snake pattern"
ZED = "each cache gets a Z shape; two caches share each edge of a tile"

MAPPINGS: tuple[Mapping, ...] = (
    Mapping(
        "interleaved",
        lambda x, y, w, h, n, tile: morton(x, h - 1 - y) % n,
        "",
        "neighbours of a 2x2 block of quads differ",
    ),
    Mapping("rows", lambda x, y, w, h, n, tile: (h - 1 - y) % n, "", "row by row"),
    Mapping("columns", lambda x, y, w, h, n, tile: x % n, "", "column by column"),
    Mapping("quadrants", lambda x, y, w, h, n, tile: _quadrant(x, h - 1 - y, w, h, n, 0), "", "a quadrant each"),
    Mapping("1-quadrant", _quadrant, "quadrants, rotated over four tiles", "Z order, one step on per tile", variants=4),
    Mapping(
        "2-vertical",
        _stripes(lambda w, n: max(1, w // n), mirrored=True),
        VERTICAL,
        "one stripe each, mirrored in every other tile, so that a cache shares the edge",
        variants=2,
    ),
    Mapping("3-vertical-Q", _stripes(lambda w, n: 1), VERTICAL, "stripes of one quad"),
    Mapping("4-mini-vertical", _stripes(lambda w, n: 2), VERTICAL, "stripes of two quads"),
    Mapping("5-UD-Q", _up_down(1, lambda h, n: 1), ROUND_ROBIN, "quad by quad, columns down and up in turn"),
    Mapping("6-UD-Q-x2", _up_down(2, lambda h, n: 1), ROUND_ROBIN, "two quads side by side, down and up in turn"),
    Mapping("7-UD-L", _up_down(1, lambda h, n: max(1, h // n)), ROUND_ROBIN, "a column's height / processors each"),
    Mapping("8-UD-L-x2", _up_down(2, lambda h, n: max(1, h // n)), ROUND_ROBIN, "as 7, columns two quads wide"),
    Mapping("9-UD-L-x4", _up_down(4, lambda h, n: max(1, h // n)), ROUND_ROBIN, "as 7, columns four quads wide"),
    Mapping(
        "10-UD-L-x4-zorder",
        _up_down(4, lambda h, n: max(1, h // n)),
        "as 9, tiles along a Z curve",
        "as 9",
        order="morton",
    ),
    Mapping(
        "11-blocking",
        _blocking,
        "blocks finer than quadrants; caches alternate from tile to tile",
        "blocks of a quarter of the tile's sides, in Z shape, mirrored in every other tile",
        variants=2,
    ),
    Mapping("12-snake", _bands(1), SNAKE, "one band each", order="boustrophedon"),
    Mapping("13-snake-fine", _bands(2), SNAKE, "two bands each", order="boustrophedon"),
    Mapping("14-Z-Q", lambda x, y, w, h, n, tile: morton(x, y) % n, ZED, "Z of single quads"),
    Mapping("15-Z-L", lambda x, y, w, h, n, tile: morton(x // 4, y) % n, ZED, "Z of lines of four quads"),
    Mapping("16-mini-UD", _up_down(1, lambda h, n: max(1, h // (2 * n)), halves=True), ROUND_ROBIN, "7 in half height"),
    Mapping(
        "17-mini-UD-x2", _up_down(2, lambda h, n: max(1, h // (2 * n)), halves=True), ROUND_ROBIN, "8 in half height"
    ),
)
"""All mappings by name; the first four are this project's, the others those of Fig. 6.3."""

BY_NAME = {mapping.name: mapping for mapping in MAPPINGS}

FOLDER = PolicyFolder(
    "tilegpu.timing.declare.quad_mappings", "quad_mappings", "MAPPING", "fragment_stage.quad_mapping", "quad mapping"
)


def find_mapping(name: str) -> Mapping:
    """Quad mapping of a name, of this table or of a plug-in; UserError if there is none."""
    return BY_NAME[name] if name in BY_NAME else FOLDER.find(name)


QuadMapping = Literal[
    "interleaved",
    "rows",
    "columns",
    "quadrants",
    "1-quadrant",
    "2-vertical",
    "3-vertical-Q",
    "4-mini-vertical",
    "5-UD-Q",
    "6-UD-Q-x2",
    "7-UD-L",
    "8-UD-L-x2",
    "9-UD-L-x4",
    "10-UD-L-x4-zorder",
    "11-blocking",
    "12-snake",
    "13-snake-fine",
    "14-Z-Q",
    "15-Z-L",
    "16-mini-UD",
    "17-mini-UD-x2",
]


def quad_processors(name: str, width: int, height: int, processors: int) -> list[Array]:
    """Processor of every quad of a tile, row by row from the bottom, for tiles in turn.

    Parameters
    ----------
    name
        One of `MAPPINGS`, or a plug-in's.
    width, height
        Size of a tile in quads.
    processors
        Fragment Processors of a Raster Unit.

    Returns
    -------
    list of numpy.ndarray
        One per variant, shape (height * width,), values 0 to processors - 1.
    """
    mapping = find_mapping(name)
    row, x = np.divmod(np.arange(width * height), width)
    y = height - 1 - row
    places = [mapping.place(x, y, width, height, processors, tile) for tile in range(mapping.variants)]
    if any(place.min() < 0 or place.max() >= processors for place in places):
        raise UserError(f"quad mapping {name}: a place has no processor of 0 to {processors - 1}")
    return places
