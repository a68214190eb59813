"""Output of modules that run on Mesa in a process of their own."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable

import pytest

SKIPPED = 77
"""Status of a process that lacks Mesa."""


def write(made: Callable[[], Iterable[bytes]]) -> None:
    """Write blobs to the standard output, each after its length (8 bytes, little endian); end with a status of its own
    where Mesa is missing."""
    try:
        blobs = list(made())
    except pytest.skip.Exception as skipped:
        print(skipped, file=sys.stderr)
        sys.exit(SKIPPED)
    for blob in blobs:
        sys.stdout.buffer.write(struct.pack("<q", len(blob)) + blob)
