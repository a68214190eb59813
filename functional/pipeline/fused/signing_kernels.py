"""Signatures of tiles: numbers that tell whether a tile is drawn as it was in another frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import helper
from .geometry_block import Drawable

FACTOR, SHIFT = -7046029254386353131, 29
"""Of the mixing step: the odd number nearest to 2^64 over the golden ratio (Knuth, TAOCP, 6.4), and a shift."""


@helper
def mixed(signature: int, word: int) -> Any:
    """A signature with one more word."""
    together = (signature ^ word) * int(FACTOR)
    return together ^ (together >> SHIFT)


@helper
def signed_key(key: int, constants: Any) -> Any:
    """Key of a draw with its constants, `SignedConstants`."""
    signature = int(key)
    for values in constants:
        words = values.view(np.int32)
        for row in range(len(words)):
            for n in range(words.shape[1]):
                signature = mixed(signature, int(words[row, n]))
    return signature


@helper
def signature_of(drawable: Drawable, p: int, key: int) -> Any:
    """Signature of a primitive: positions and varyings of its corners, and the key of its draw."""
    placed, signature = drawable.placed, int(key)
    window, outputs = placed.window.view(np.int32), drawable.outputs.view(np.int32)
    for i in range(drawable.size):
        vertex = placed.corners[p, i]
        signature = mixed(mixed(signature, placed.x[p, i]), placed.y[p, i])
        signature = mixed(mixed(signature, int(window[vertex, 2])), int(window[vertex, 3]))
        for n in range(outputs.shape[1]):
            signature = mixed(signature, int(outputs[vertex, n]))
    return mixed(signature, int(placed.extent[p] * np.float32(256))) if drawable.size < 3 else signature
