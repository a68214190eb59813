"""Text of applications and names of files: any bytes. Those that are not UTF-8 are surrogates in Python's texts."""

from __future__ import annotations


def octets(text: str) -> bytes:
    """The bytes that a text was made of."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Surrogates that stand for no bytes; only Python can have made them.
        return text.encode("utf-8", "surrogatepass")


def legible(text: str) -> str:
    """A text that can be written anywhere: bytes that are not UTF-8 become U+FFFD."""
    return text if text.isascii() else octets(text).decode("utf-8", "replace")
