"""An encoder for ETC1 (OES_compressed_ETC1_RGB8_texture): blocks of 4 x 4 texels in 8 bytes, all at once in numpy.

Each half of a block gets its mean colour in four bits per channel and the table of brightness steps that fits best.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .textures import Texels

STEPS = np.array([(2, 8), (5, 17), (9, 29), (13, 42), (18, 60), (24, 80), (33, 106), (47, 183)])
"""Small and large step of each table (table 3.17.2 of the extension)."""


def encode(texels: Texels) -> bytes:
    """Encode an image.

    Parameters
    ----------
    texels
        uint8 (height, width, 3 or 4); alpha is left out. Sizes that are no multiple of 4 are padded by repetition.

    Returns
    -------
    bytes
        Eight for each block, rows of blocks from row 0 on.
    """
    height, width = texels.shape[:2]
    image = np.pad(texels[..., :3], ((0, -height % 4), (0, -width % 4), (0, 0)), mode="edge").astype(np.int64)
    across, down = image.shape[1] // 4, image.shape[0] // 4
    blocks = image.reshape(down, 4, across, 4, 3).transpose(0, 2, 1, 3, 4).reshape(-1, 4, 4, 3)
    halves = np.stack([blocks[:, :, :2], blocks[:, :, 2:]], axis=1)
    base = np.clip(np.round(halves.mean(axis=(2, 3)) / 17), 0, 15).astype(np.int64)
    table, index = _fit(halves, base * 17)
    return _pack(base, table, index)


def darker(data: bytes, steps: NDArray[np.int64]) -> bytes:
    """The image whose base colours are so many sixteenths darker in red, green and blue, as far as that goes.

    Parameters
    ----------
    data
        As `encode` returns it.
    steps
        0 to 15, (3,).
    """
    blocks = np.frombuffer(data, np.uint8).reshape(-1, 8).copy()
    high, low = blocks[:, :3] >> 4, blocks[:, :3] & 15
    dark = steps.astype(np.uint8)
    blocks[:, :3] = (high - np.minimum(high, dark)) << 4 | (low - np.minimum(low, dark))
    return blocks.tobytes()


def _fit(halves: NDArray[np.int64], base: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best table per half, (blocks, 2), and index per texel, (blocks, 2, 4, 2).

    A step is added to all three channels, so the nearest one to a texel is the nearest to its mean difference from the
    base colour; that channels are clamped is left out of account.
    """
    difference = (halves - base[:, :, None, None]).mean(axis=-1, dtype=np.float32)
    least = np.full(halves.shape[:2], np.inf, np.float32)
    table, index = np.zeros(halves.shape[:2], np.int64), np.zeros(halves.shape[:4], np.int64)
    size, negative = np.abs(difference), difference < 0
    for number, (small, large) in enumerate(STEPS):
        far = size > (small + large) / 2
        total = ((size - np.where(far, large, small).astype(np.float32)) ** 2).sum(axis=(2, 3))
        better = total < least
        least[better], table[better] = total[better], number
        index[better] = (far + 2 * negative)[better]
    return table, index


def _pack(base: NDArray[np.int64], table: NDArray[np.int64], index: NDArray[np.int64]) -> bytes:
    blocks = np.zeros((len(base), 8), np.uint8)
    blocks[:, :3] = base[:, 0] << 4 | base[:, 1]
    # Neither differential nor flipped: halves are side by side, with four bits per channel each.
    blocks[:, 3] = table[:, 0] << 5 | table[:, 1] << 2
    columns = np.concatenate([index[:, 0], index[:, 1]], axis=2)
    bits = np.zeros((len(base), 2), np.int64)
    for x in range(4):
        for y in range(4):
            chosen = columns[:, y, x]
            bits[:, 0] |= (chosen >> 1) << (4 * x + y)
            bits[:, 1] |= (chosen & 1) << (4 * x + y)
    blocks[:, 4:] = bits.astype(">u2").view(np.uint8).reshape(-1, 4)
    return blocks.tobytes()
