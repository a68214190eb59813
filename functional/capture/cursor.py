"""Numbers and texts as apitrace encodes them, read from a buffer."""

from __future__ import annotations

from .call import CaptureError

MAX_SHIFT = 70
"""Greatest shift of a digit of 7 bits; a number of 64 bits needs 63."""


class Incomplete(IndexError):
    """The buffer ends inside an item; at least `missing` more bytes are needed."""

    def __init__(self, missing: int = 1) -> None:
        super().__init__(missing)
        self.missing = missing


class Cursor:
    """A position in a buffer. Every method moves it past what it reads.

    At the end of the buffer methods raise `Incomplete`, or IndexError, which costs no test of its own.

    Parameters
    ----------
    source
        Name for error messages.

    Attributes
    ----------
    data, at
        Buffer, and offset of the next byte.
    """

    __slots__ = ("at", "data", "source")

    def __init__(self, source: str, data: bytes = b"", at: int = 0) -> None:
        self.source = source
        self.data = data
        self.at = at

    def damaged(self, reason: str) -> CaptureError:
        """The error to raise if the stream cannot have been written so."""
        return CaptureError(f"{self.source}: {reason}; the file is damaged")

    def byte(self) -> int:
        """A byte."""
        self.at += 1
        return self.data[self.at - 1]

    def uint(self) -> int:
        """A number of up to 64 bits, the lowest 7 first."""
        data, at = self.data, self.at
        byte = data[at]
        if byte < 0x80:
            self.at = at + 1
            return byte
        value, shift = byte & 0x7F, 7
        while shift <= MAX_SHIFT:
            at += 1
            byte = data[at]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                self.at = at + 1
                return value
            shift += 7
        raise self.damaged("a number has more than 64 bits")

    def count(self) -> int:
        """A number of items that follow, of which each takes at least one byte."""
        number = self.uint()
        missing = self.at + number - len(self.data)
        if missing > 0:
            raise Incomplete(missing)
        return number

    def blob(self) -> bytes:
        """Bytes after their number."""
        size = self.count()
        begin = self.at
        self.at = begin + size
        return self.data[begin : self.at]

    def text(self) -> str:
        """A text after its number of bytes. Bytes that are not UTF-8 become surrogates."""
        return self.blob().decode("utf-8", "surrogateescape")
