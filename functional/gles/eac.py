"""EAC textures of one and two channels with their full 11 bits (OpenGL ES 3.0, appendix C.1.5 to C.1.8).

The decoding library returns only 8 bits and does not define signed values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MODIFIERS = np.array(
    [
        (-3, -6, -9, -15, 2, 5, 8, 14), (-3, -7, -10, -13, 2, 6, 9, 12), (-2, -5, -8, -13, 1, 4, 7, 12),
        (-2, -4, -6, -13, 1, 3, 5, 12), (-3, -6, -8, -12, 2, 5, 7, 11), (-3, -7, -9, -11, 2, 6, 8, 10),
        (-4, -7, -8, -11, 3, 6, 7, 10), (-3, -5, -8, -11, 2, 4, 7, 10), (-2, -6, -8, -10, 1, 5, 7, 9),
        (-2, -5, -8, -10, 1, 4, 7, 9), (-2, -4, -8, -10, 1, 3, 7, 9), (-2, -5, -7, -10, 1, 4, 6, 9),
        (-3, -4, -7, -10, 2, 3, 6, 9), (-1, -2, -3, -10, 0, 1, 2, 9), (-4, -6, -8, -9, 3, 5, 7, 8),
        (-3, -5, -7, -9, 2, 4, 6, 8),
    ],
    np.int64,
)  # fmt: skip


def decode_eac(data: bytes, width: int, height: int, channels: int, signed: bool) -> NDArray[np.float32]:
    """Decode an image.

    Parameters
    ----------
    data
        Blocks, row by row; eight bytes per channel.
    width, height
        Size in texels.
    channels
        1 or 2.
    signed
        Whether values go from -1 to 1.

    Returns
    -------
    float32 (height, width, 4)
        0…1 or -1…1; absent channels are 0, alpha 1.
    """
    rows, columns = -(-height // 4), -(-width // 4)
    blocks = np.frombuffer(data, np.uint8, rows * columns * channels * 8).reshape(rows, columns, channels, 8)
    values = _values(blocks.astype(np.int64), signed)
    image = values.transpose(0, 3, 1, 4, 2).reshape(4 * rows, 4 * columns, channels)[:height, :width]
    out = np.zeros((height, width, 4), np.float32)
    out[..., 3] = 1
    out[..., :channels] = image / np.float32(1023 if signed else 2047)
    return out


def _values(blocks: NDArray[np.int64], signed: bool) -> NDArray[np.int64]:
    """Eleven-bit values, (rows, columns, channels, 4 rows, 4 columns)."""
    base = blocks[..., 0]
    multiplier, table = blocks[..., 1] >> 4, blocks[..., 1] & 15
    bits = sum((blocks[..., 2 + i] << 8 * (5 - i) for i in range(6)), np.zeros_like(base))
    # Three bits per texel, column by column, the first texel in the highest bits.
    shifts = np.array([[45 - 3 * (4 * x + y) for x in range(4)] for y in range(4)])
    index = bits[..., None, None] >> shifts & 7
    modifier = _MODIFIERS[table[..., None, None], index]
    step = np.where(multiplier == 0, 1, multiplier * 8)[..., None, None]
    if signed:
        start = np.maximum(np.where(base < 128, base, base - 256), -127) * 8
        return np.asarray(np.clip(start[..., None, None] + modifier * step, -1023, 1023))
    return np.asarray(np.clip((base * 8 + 4)[..., None, None] + modifier * step, 0, 2047))
