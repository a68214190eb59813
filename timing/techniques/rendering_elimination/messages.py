"""Messages that the Signature Unit signs: constants of draws, and what draws, clears and textures are known by."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ...loading.loaded import apply_uploads
from ..shared import crc

Array = np.ndarray[Any, Any]

WHICH = ("event", "call", "frame", "pass", "surface")
STATE_COLUMNS = (
    "topology",
    "viewport",
    "depth_range",
    "scissor",
    "cull",
    "front_face",
    "polygon_offset",
    "depth_test",
    "depth_function",
    "depth_write",
    "stencil_test",
    "stencil_front",
    "stencil_back",
    "blend_enabled",
    "blend",
    "logic_operation",
    "color_masks",
    "srgb_encoding",
    "alpha_to_coverage",
    "sample_coverage",
    "line_width",
)


def subblocks_of(size: int, width: int) -> tuple[int, int]:
    """Subblocks of `width` bytes that a block of `size` bytes is signed in, and the factor of a shift by them.

    A block that ends within a subblock has zeros in front of it, which change no CRC.
    """
    subblocks = -(-size // width)
    return subblocks, crc.factor_of(subblocks * width // crc.SUBBLOCK_BYTES)


def signed(message: bytes, width: int) -> tuple[int, int, int]:
    """CRC of a message, factor of a shift by it, and its subblocks."""
    subblocks, factor = subblocks_of(len(message), width)
    return crc.crc_of_bytes(message) if message else 0, factor, subblocks


def constant_messages(source: Any, sound: bool) -> tuple[list[bytes], Array]:
    """Messages of constants, one for each change, and which one each draw of the frame has."""
    rows, of_draw, messages = source.draws.rows, [], []
    constants = source.constants_before if sound else {}
    latest = None
    for row in rows:
        message = _sound_message(row, constants) if sound else b"".join(u["data"] for u in row["uploads"])
        if message != latest and (sound or message or latest is None):
            messages.append(crc.padded(message))
            latest = message
        of_draw.append(len(messages) - 1)
    return messages, np.array(of_draw, np.int64)


def _sound_message(row: dict[str, Any], constants: dict[Any, bytearray]) -> bytes:
    """Identity of program, state and textures, 64 bits each, and all constants of the program as they are now."""
    apply_uploads(constants, row)
    words = [row["program"].to_bytes(8, "little"), identity([row[name] for name in STATE_COLUMNS])]
    words += [identity(binding) for binding in row["bindings"]]
    values = (held for key, held in sorted(constants.items()) if key[0] == row["program"])
    return b"".join((*words, *(crc.padded(bytes(held)) for held in values)))


def content(event: dict[str, Any]) -> str:
    """Contents of an event, without its identity."""
    return repr(sorted((name, value) for name, value in event.items() if name not in WHICH))


def identity(value: Any) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=8).digest()
