"""Reading apitrace files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .call import Call, CaptureError
from .container import Container
from .decoder import Decoder


class Trace:
    """An apitrace file.

    Parameters
    ----------
    path
        File of any container version (1 to 6) and compression (Snappy, gzip, Zstandard, Brotli).
    named
        Whether values keep the names that the stream gives them (`NamedNumber`, `Struct`), for people; slower.

    Attributes
    ----------
    version
        Version of the format.
    compression
        Container.
    properties
        The tracer's notes about the program.
    warnings
        What was missing or damaged; complete once `calls` is exhausted.
    breaks_off
        Whether calls are missing at its end; known once `calls` is exhausted.

    Raises
    ------
    CaptureError
        The file cannot be opened or is not an apitrace file.
    """

    def __init__(self, path: Path | str, named: bool = False) -> None:
        self.path = Path(path)
        self._named = named
        self.warnings: list[str] = []
        self.breaks_off = False
        # The first iteration continues after the header, so that the first block is decompressed only once.
        self._opened: tuple[Container, Decoder] | None = self._open()
        self._container, decoder = self._opened
        self.compression = self._container.compression
        self.version = decoder.version
        self.properties = decoder.properties

    def _open(self) -> tuple[Container, Decoder]:
        container = Container(self.path)
        return container, Decoder(container.blocks(), str(self.path), self._named)

    def calls(self) -> Iterator[Call]:
        """All calls from the beginning, in the order in which they returned, in bounded memory.

        Calls that never returned come last, with `complete` False. A truncated or damaged file yields the calls before
        the damage and adds a line to `warnings`.

        Raises
        ------
        CaptureError
            The content is damaged before the first call.
        """
        self.warnings, self.breaks_off = [], False
        container, decoder = self._opened or self._open()
        self._opened, self._container = None, container
        last = -1
        try:
            for calls in decoder.calls():
                yield from calls
                last = calls[-1].number
        except CaptureError as error:
            if last < 0:
                raise
            self.breaks_off = True
            self.warnings.append(f"{error}; read up to call {last}")
            return
        if decoder.cut or container.truncated:
            self.breaks_off = True
            self.warnings.append(f"{self.path}: the file breaks off after call {last}; everything before was read")

    @property
    def fraction(self) -> float:
        """Share of the file that the latest iteration has read, 0 to 1."""
        return self._container.fraction

    def __iter__(self) -> Iterator[Call]:
        return self.calls()
