"""Finds out whether a stream calls a function, without decoding its calls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from .container import Container

_LONGEST = 64
"""Bytes that a name and what surrounds it can take, at most."""
_ARGUMENTS = re.compile(rb"[\x01-\x08][\x01-\x20][A-Za-z_]")


def calls_any(path: Path, names: Iterable[str]) -> bool:
    """Whether a stream calls any of some functions.

    The first call of a function writes its name, a text, and the number and names of its arguments. Texts that are
    values are followed by a tag of 0 or by a next value, so a name among texts is told apart by the number.

    Parameters
    ----------
    path
        apitrace file.
    names
        Functions; one without arguments is not found.

    Raises
    ------
    CaptureError
        The file cannot be read.
    """
    encoded = [bytes([len(name)]) + name.encode() for name in sorted(names)]
    tail = b""
    for block in Container(path).blocks():
        if any(_begins_call(part, name) for part in (tail + block[:_LONGEST], block) for name in encoded):
            return True
        tail = block[-_LONGEST:]
    return False


def _begins_call(block: bytes, name: bytes) -> bool:
    """Whether a name is followed by a number of arguments and the name of the first one."""
    at = block.find(name)
    while at >= 0:
        if _ARGUMENTS.match(block, at + len(name)):
            return True
        at = block.find(name, at + 1)
    return False
