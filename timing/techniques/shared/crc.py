"""CRC-32 of messages in subblocks of 64 bits (Rendering Elimination, III-C and III-D).

The polynomial is that of IEEE 802.3, most significant bit first, from zero and without a final inversion, so that the
CRC of a concatenation is the shifted CRC of the first part, exclusive-or that of the second (Algorithm 1).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...engine.jit import inline, unit

POLYNOMIAL = 0x04C11DB7
MASK = 0xFFFFFFFF
SUBBLOCK_BYTES = 8

Array = np.ndarray[Any, Any]


@inline
def double(a: int) -> int:
    """A polynomial times x."""
    carry = a >> 31
    return ((a << 1) & MASK) ^ (carry * POLYNOMIAL)


@unit
def multiply(a: int, b: int) -> int:
    """Product of two polynomials modulo that of the CRC."""
    result = 0
    for i in range(32):
        result = double(result)
        if b >> (31 - i) & 1:
            result ^= a
    return result


@cache
def byte_table() -> Array:
    """CRC of each byte followed by 32 zero bits."""
    table = np.arange(256, dtype=np.uint64) << np.uint64(24)
    for _ in range(8):
        carry = table >> np.uint64(31)
        table = ((table << np.uint64(1)) & np.uint64(MASK)) ^ (carry * np.uint64(POLYNOMIAL))
    return table


def crc_of(messages: Array) -> Array:
    """CRC of each row of bytes.

    Parameters
    ----------
    messages
        Shape (messages, bytes), uint8; bytes are whole subblocks.

    Returns
    -------
    numpy.ndarray
        Shape (messages,), int64.
    """
    table = byte_table()
    crc = np.zeros(len(messages), np.uint64)
    for column in messages.T:
        index = (crc >> np.uint64(24)) ^ column.astype(np.uint64)
        crc = ((crc << np.uint64(8)) & np.uint64(MASK)) ^ table[index]
    return crc.astype(np.int64)


@cache
def factor_of(subblocks: int) -> int:
    """Factor that a CRC is multiplied by to shift its message by some subblocks: x to the power of 64 for each."""
    factor, base = 1, 2
    for _ in range(6):
        base = int(multiply(base, base))
    while subblocks:
        if subblocks & 1:
            factor = int(multiply(factor, base))
        base = int(multiply(base, base))
        subblocks >>= 1
    return factor


def crc_of_bytes(message: bytes) -> int:
    """CRC of one message."""
    return int(crc_of(np.frombuffer(message, np.uint8)[None])[0])


def padded(message: bytes) -> bytes:
    """A message filled up with zeros to whole subblocks."""
    return message + bytes(-len(message) % SUBBLOCK_BYTES)
