"""Decodes a stream of byte blocks into calls: the header of an apitrace file, then its events."""

from __future__ import annotations

from collections.abc import Iterator

from .call import Call, CaptureError
from .cursor import Cursor
from .events import Events
from .wire_format import LATEST_VERSION, PROPERTIES_SINCE

MAX_EVENT_BYTES = 1 << 29


class Decoder:
    """Decodes a stream of blocks.

    Parameters
    ----------
    blocks
        Decompressed content.
    source
        Name for error messages.
    named
        Whether values keep the names that the stream gives them.

    Attributes
    ----------
    version
        Version of the format, 1 to 6.
    properties
        The tracer's notes about the program, e.g. process.name.
    cut
        Whether the stream ended inside an event.
    """

    def __init__(self, blocks: Iterator[bytes], source: str, named: bool = False) -> None:
        self._named = named
        self.blocks = blocks
        self.source = source
        self.version = 0
        self.properties: dict[str, str] = {}
        self.cut = False
        self._buffer = b""
        self._feed(1 << 16)
        self._header_end = self._header()

    def _feed(self, missing: int) -> None:
        """Append at least `missing` bytes to the buffer, or the rest of the stream."""
        parts = [self._buffer] if self._buffer else []
        while missing > 0 and (block := next(self.blocks, None)) is not None:
            parts.append(block)
            missing -= len(block)
        self._buffer = b"".join(parts)

    def _header(self) -> int:
        """Read the header; its end."""
        cursor = Cursor(self.source, self._buffer)
        try:
            self.version = cursor.uint()
            if PROPERTIES_SINCE <= self.version <= LATEST_VERSION:
                cursor.uint()
                while name := cursor.text():
                    self.properties[name] = cursor.text()
        except (IndexError, CaptureError):
            raise CaptureError(f"{self.source}: not an apitrace file, or cut inside its header") from None
        if not 1 <= self.version <= LATEST_VERSION:
            raise CaptureError(
                f"{self.source}: not an apitrace file (or of an unknown version); tilegpu reads versions 1 to "
                f"{LATEST_VERSION}"
            )
        return cursor.at

    def calls(self) -> Iterator[list[Call]]:
        """Calls in the order in which they returned, in batches; calls that never returned come last."""
        events = Events(self.version, self.source, self._named)
        at = self._header_end
        while True:
            calls, at, missing = events.decode(self._buffer, at)
            if calls:
                yield calls
            if not missing:
                continue
            self._buffer = self._buffer[at:]
            at = 0
            size = len(self._buffer)
            if max(missing, size) > MAX_EVENT_BYTES:
                raise CaptureError(
                    f"{self.source}: an event claims more than {MAX_EVENT_BYTES} bytes; the file is damaged"
                )
            # Doubling the buffer keeps the cost of copying a long event linear.
            self._feed(max(missing, size))
            if len(self._buffer) == size:
                break
        self.cut = size > 0
        if events.pending:
            yield [events.pending[number] for number in sorted(events.pending)]
