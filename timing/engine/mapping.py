"""Which Fragment Processor shades a quad, by its place in the tile."""

from __future__ import annotations

import numpy as np

from ..config.schema import Configuration


def morton(
    x: np.ndarray[tuple[int, ...], np.dtype[np.int64]], y: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Numbers along a Z curve: the bits of x and y interleaved, x lowest."""
    code = np.zeros(np.broadcast(x, y).shape, np.int64)
    for bit in range(16):
        code |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1
    return code


def quad_processors(configuration: Configuration) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Processor of every quad of a tile, row by row.

    Parameters
    ----------
    configuration
        Its tile size, `fragment_stage.processors` and `fragment_stage.quad_mapping`.

    Returns
    -------
    numpy.ndarray
        Shape (tile height / 2 * tile width / 2,), values 0 to processors - 1.
    """
    width, height = configuration.tiles.width // 2, configuration.tiles.height // 2
    processors = configuration.fragment_stage.processors
    y, x = np.divmod(np.arange(width * height), width)
    mapping = configuration.fragment_stage.quad_mapping
    if mapping == "rows":
        return y % processors
    if mapping == "columns":
        return x % processors
    if mapping == "quadrants":
        return morton(x * 256 // width, y * 256 // height) * processors >> 16
    return morton(x, y) % processors
