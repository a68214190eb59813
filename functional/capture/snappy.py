"""Decodes truncated raw Snappy blocks up to the cut (format: google/snappy format_description.txt)."""

from __future__ import annotations


def decode_partial(block: bytes) -> bytes:
    """Decode as much of a raw Snappy block as is present.

    Parameters
    ----------
    block
        Beginning of a block, including its leading length.

    Returns
    -------
    bytes
        What the complete elements of the block decode to.
    """
    out = bytearray()
    at = 0
    while at < len(block) and block[at] & 0x80:
        at += 1
    at += 1
    while at < len(block):
        tag = block[at]
        kind = tag & 3
        if kind == 0:
            length, at = _literal_length(block, at)
            out += block[at : at + length]
            at += length
            continue
        width = (0, 1, 2, 4)[kind]
        if at + 1 + width > len(block):
            break
        offset = int.from_bytes(block[at + 1 : at + 1 + width], "little")
        length = (tag >> 2) + 1
        if kind == 1:
            offset |= (tag & 0xE0) << 3
            length = (tag >> 2 & 7) + 4
        at += 1 + width
        if offset == 0 or offset > len(out):
            break
        _copy(out, offset, length)
    return bytes(out)


def _literal_length(block: bytes, at: int) -> tuple[int, int]:
    length = block[at] >> 2
    extra = max(0, length - 59)
    if extra:
        length = int.from_bytes(block[at + 1 : at + 1 + extra], "little")
    return length + 1, at + 1 + extra


def _copy(out: bytearray, offset: int, length: int) -> None:
    start = len(out) - offset
    if offset >= length:
        out += out[start : start + length]
    else:
        pattern = bytes(out[start:])
        out += (pattern * (length // offset + 1))[:length]
