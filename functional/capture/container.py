"""The compressed containers of apitrace files (Snappy chunks, gzip, Zstandard, Brotli), read as streams of blocks."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from .call import CaptureError
from .snappy import decode_partial

BLOCK_BYTES = 1 << 20
FREE_BYTES, MAX_RATIO = 1 << 26, 1 << 14
"""A file holds up to `FREE_BYTES` and `MAX_RATIO` times its own size; calls cannot be packed more tightly than that."""
MAX_CHUNK_BYTES = 1 << 26
"""Largest Snappy chunk accepted, compressed or not; apitrace writes 1 MiB."""


class Container:
    """A container opened for reading.

    Attributes
    ----------
    compression
        snappy, gzip, zstd or brotli.
    truncated
        True once the end was reached and something is missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.truncated = False
        self._file: BinaryIO | None = None
        if path.is_dir():
            raise CaptureError(f"{path}: is a folder, not a captured stream; give the .trace file")
        try:
            with path.open("rb") as file:
                magic = file.read(4)
        except OSError as error:
            raise CaptureError(f"{path}: {error.strerror}") from None
        if not magic:
            raise CaptureError(f"{path}: the file is empty; record it again with `apitrace trace -a egl`")
        self.compression = (
            "snappy"
            if magic[:2] == b"at"
            else "gzip"
            if magic[:2] == b"\x1f\x8b"
            else "zstd"
            if magic == b"\x28\xb5\x2f\xfd"
            else "brotli"
        )

    @property
    def fraction(self) -> float:
        """Share of the file that has been read, 0 to 1."""
        if self._file is None or self._file.closed:
            return 1.0 if self._file is not None else 0.0
        return self._file.tell() / max(1, self.path.stat().st_size)

    def blocks(self) -> Iterator[bytes]:
        """Decompressed content, block by block, up to the end or the first damage.

        Raises
        ------
        CaptureError
            The content is so much longer than the file that no program can have been recorded so.
        """
        with self.path.open("rb") as file:
            self._file = file
            budget = FREE_BYTES + MAX_RATIO * self.path.stat().st_size
            unpack = {"snappy": self._snappy, "gzip": self._gzip}.get(self.compression, self._arrow)
            for block in unpack(file):
                budget -= len(block)
                if budget < 0:
                    raise CaptureError(
                        f"{self.path}: unpacks to more than {MAX_RATIO:,} times its size; the file is damaged or a bomb"
                    )
                yield block

    def _snappy(self, file: BinaryIO) -> Iterator[bytes]:
        codec = pa.Codec("snappy")
        file.seek(2)
        while len(head := file.read(4)) == 4:
            (length,) = struct.unpack("<I", head)
            if length == 0:
                return
            if length > MAX_CHUNK_BYTES:
                raise CaptureError(f"{self.path}: a chunk claims {length} bytes; the file is damaged")
            block = file.read(length)
            if len(block) < length:
                self.truncated = True
                yield decode_partial(block)
                return
            size = _leading_length(block)
            if size > MAX_CHUNK_BYTES:
                raise CaptureError(f"{self.path}: a chunk claims to hold {size} bytes; the file is damaged")
            try:
                yield codec.decompress(block, decompressed_size=size, asbytes=True)
            except OSError:
                self.truncated = True
                return
        self.truncated = self.truncated or 0 < len(head) < 4

    def _gzip(self, file: BinaryIO) -> Iterator[bytes]:
        decoder = zlib.decompressobj(31)
        while data := file.read(BLOCK_BYTES):
            while data:
                try:
                    yield decoder.decompress(data, BLOCK_BYTES)
                except zlib.error:
                    self.truncated = True
                    return
                data = decoder.unconsumed_tail
        self.truncated = not decoder.eof

    def _arrow(self, file: BinaryIO) -> Iterator[bytes]:
        try:
            with pa.CompressedInputStream(pa.PythonFile(file, "r"), self.compression) as stream:
                while data := stream.read(BLOCK_BYTES):
                    yield data
        except OSError:
            self.truncated = True


def _leading_length(block: bytes) -> int:
    size = 0
    for i, byte in enumerate(block[:5]):
        size |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            break
    return size
