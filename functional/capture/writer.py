"""Writing apitrace files: version 6, Snappy chunks, as apitrace's own tracer does."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from ..activity.output import Partial
from .call import Call
from .encoder import Encoder
from .signatures import FILLED

CHUNK_BYTES = 1 << 20


class TraceWriter:
    """Writes calls to a file, which appears under its name only when it is complete.

    Parameters
    ----------
    path
        File to write.
    properties
        Notes about the program, e.g. process.name.
    """

    def __init__(self, path: Path | str, properties: dict[str, str] | None = None) -> None:
        self.path = Path(path)
        self._output = Partial(self.path)
        try:
            self._file = self._output.path.open("wb")
        except OSError as error:
            self._output.drop()
            raise self._output.renamed(error) from None
        self._file.write(b"at")
        self._encoder = Encoder()
        self._codec = pa.Codec("snappy")
        self._buffer = bytearray(self._encoder.header(properties or {}))
        self.calls = 0

    def write(self, call: Call, filled: Iterable[int] | None = None) -> None:
        """Append a call under the next number; the function wrote the arguments at the positions `filled`."""
        call.number = self.calls
        call.complete = True
        self.calls += 1
        self._buffer += self._encoder.call(call, FILLED.get(call.name, ()) if filled is None else filled)
        while len(self._buffer) >= CHUNK_BYTES:
            self._chunk(CHUNK_BYTES)

    def _chunk(self, size: int) -> None:
        block = self._codec.compress(bytes(self._buffer[:size]), asbytes=True)
        self._file.write(struct.pack("<I", len(block)) + block)
        del self._buffer[:size]

    def close(self) -> None:
        """Write the rest and give the file its name."""
        if self._file.closed:
            return
        try:
            if self._buffer:
                self._chunk(len(self._buffer))
            self._file.close()
            self._output.keep()
        except OSError as error:
            self._drop()
            raise self._output.renamed(error) from None

    def _drop(self) -> None:
        with suppress(OSError):
            self._file.close()
        self._output.drop()

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._drop()
            if isinstance(error, OSError):
                raise self._output.renamed(error) from None
