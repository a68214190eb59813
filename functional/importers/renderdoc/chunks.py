"""Chunks of a RenderDoc capture that was exported as XML with a ZIP of its buffers (`NAME.zip.xml`, `NAME.zip`).

The export is untrusted: it may hold no document type and thus no entities, sizes are bounded, and of the ZIP only
members of the names that RenderDoc gives are read, up to the size that the XML declares.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from ...capture.call import CaptureError

READ_BYTES = 1 << 18
MAX_DEPTH, MAX_NODES, MAX_TEXT = 32, 1 << 21, 1 << 24
"""Of one chunk: nesting, nodes, and characters of all its texts."""
MAX_BUFFER_BYTES, MAX_TOTAL_BYTES = 1 << 28, 1 << 32
"""Of one buffer, and of all that are read."""
_WHOLE = frozenset({"int", "uint", "enum", "ResourceId"})
Value = int | float | bool | str


class ChunkError(Exception):
    """A chunk lacks something, or holds something of another kind; the message says what."""


class Node:
    """A value of a chunk, or a chunk.

    Attributes
    ----------
    kind
        "int", "uint", "enum", "float", "bool", "string", "ResourceId", "buffer", "array", "struct", "null" or "chunk".
    name, type
        Its name, "" for elements of arrays, and RenderDoc's name of its type.
    text
        Its value as text, "" for what has members.
    size
        Bytes of a buffer.
    children
        Members or elements.
    """

    __slots__ = ("children", "kind", "name", "size", "text", "type")

    def __init__(self, kind: str, attributes: dict[str, str]) -> None:
        self.kind, self.name = kind, attributes.get("name", "")
        self.type, self.text = attributes.get("typename", ""), ""
        self.size = _whole(attributes.get("byteLength", "0"))
        self.children: list[Node] = []

    @property
    def value(self) -> Value:
        """The value of a leaf, of the type that it is declared with."""
        if self.kind in _WHOLE:
            return _whole(self.text)
        if self.kind == "float":
            return _real(self.text)
        return self.text == "true" if self.kind == "bool" else self.text

    @property
    def whole(self) -> int:
        """The value of a leaf that is a whole number; of a boolean, 0 or 1."""
        value = self.value
        if not isinstance(value, int):
            raise ChunkError(f"{self.name or 'an element'} is no whole number")
        return int(value)

    @property
    def real(self) -> float:
        """The value of a leaf that is a number."""
        value = self.value
        if isinstance(value, str):
            raise ChunkError(f"{self.name or 'an element'} is no number")
        return float(value)

    @property
    def values(self) -> list[Value]:
        """The values of an array's elements."""
        return [child.value for child in self.children]

    def get(self, name: str) -> Node | None:
        """Member of this name, if there is one."""
        return next((child for child in self.children if child.name == name), None)

    def __getitem__(self, name: str) -> Node:
        child = self.get(name)
        if child is None:
            raise ChunkError(f"it has no {name}")
        return child

    def element(self, index: int) -> Node:
        """Element of an array."""
        if not 0 <= index < len(self.children):
            raise ChunkError(f"{self.name} has {len(self.children)} elements, none of number {index}")
        return self.children[index]


def _whole(text: str) -> int:
    try:
        number = int(text) if len(text) <= 20 else None
    except ValueError:
        number = None
    if number is None or not -(1 << 63) <= number < 1 << 64:
        raise ChunkError(f"{text[:20]!r} is no whole number of 64 bits")
    return number


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ChunkError(f"{text[:20]!r} is no number") from None


class _Builder:
    """Makes nodes of what the parser reads; chunks that are complete wait in `done`."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.done: list[Node] = []
        self.driver = ""
        self.version = 0
        self._wanted = wanted
        self._path: list[Node] = []
        self._outside: list[str] = []
        self._skipped = 0
        self._nodes = self._characters = 0
        self._texts: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._texts.clear()
        if self._skipped:
            self._skipped += 1
        elif self._path:
            self._inside(tag, attributes)
        elif tag == "chunk" and self._outside == ["rdc", "chunks"]:
            self._nodes = self._characters = 0
            if self._wanted(attributes.get("name", "")):
                self._path.append(Node(tag, attributes))
            else:
                self._skipped = 1
        else:
            if not self._outside and tag != "rdc":
                raise ChunkError("it is no export of RenderDoc")
            self._outside.append(tag)
            if tag == "chunks":
                self.version = _whole(attributes.get("version", "0"))

    def _inside(self, tag: str, attributes: dict[str, str]) -> None:
        self._nodes += 1
        if len(self._path) >= MAX_DEPTH or self._nodes > MAX_NODES:
            raise ChunkError(f"a chunk has more than {MAX_DEPTH} levels or {MAX_NODES} values")
        node = Node(tag, attributes)
        self._path[-1].children.append(node)
        self._path.append(node)

    def text(self, text: str) -> None:
        if self._skipped:
            return
        self._characters += len(text)
        if self._characters > MAX_TEXT:
            raise ChunkError(f"texts of more than {MAX_TEXT} characters")
        self._texts.append(text)

    def end(self, tag: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif self._path:
            node = self._path.pop()
            if not node.children:
                node.text = "".join(self._texts)
            if not self._path:
                self.done.append(node)
        else:
            if tag == "driver":
                self.driver = "".join(self._texts)
            self._outside.pop()
            self._characters = 0
        self._texts.clear()


def _forbidden(*_: Any) -> None:
    raise ChunkError("it has a document type, which an export of RenderDoc has not")


class Export:
    """An export: its chunks in order, and its buffers.

    Parameters
    ----------
    path
        The XML, `NAME.zip.xml`; `NAME.zip` lies beside it.
    origin
        Capture that it was made of, for messages; None if the user named the XML.
    """

    def __init__(self, path: Path, origin: Path | None = None) -> None:
        self.path = path
        self._shown = origin or path
        self.driver = ""
        """RenderDoc's name of the API, known once chunks are read."""
        self.bytes_read = 0
        self._zip: ZipFile | None = None
        self._buffer_bytes = 0

    def chunks(self, wanted: Callable[[str], bool] = lambda name: True) -> Iterator[tuple[int, Node]]:
        """Chunks of the names that are wanted, each with its number among them.

        Raises
        ------
        CaptureError
            The file cannot be read, is no export, is damaged or goes beyond a bound.
        """
        builder = _Builder(wanted)
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
        parser.CharacterDataHandler = builder.text
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _forbidden
        number = 0
        try:
            with self.path.open("rb") as file:
                while block := file.read(READ_BYTES):
                    self.bytes_read += len(block)
                    parser.Parse(block, False)
                    self.driver = builder.driver
                    for node in builder.done:
                        yield number, node
                        number += 1
                    builder.done.clear()
                parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise CaptureError(f"{self._shown}: damaged or cut off: {error}; export it again") from None
        except ChunkError as error:
            raise CaptureError(f"{self._shown}: {error}") from None

    def buffer(self, node: Node) -> bytes | None:
        """Bytes of a buffer; None of one that the program gave none for.

        Raises
        ------
        CaptureError
            The ZIP lacks it, cannot be read, or holds another number of bytes.
        ChunkError
            The node is no buffer, or too large.
        """
        if node.kind != "buffer":
            raise ChunkError(f"{node.name} is no buffer")
        if not node.size:
            return None
        self._buffer_bytes += node.size
        if not 0 < node.size <= MAX_BUFFER_BYTES or self._buffer_bytes > MAX_TOTAL_BYTES:
            raise ChunkError(f"buffers of more than {MAX_BUFFER_BYTES} bytes, or {MAX_TOTAL_BYTES} in all")
        place, name = self.path.with_suffix(""), f"{_whole(node.text):06d}"
        try:
            if self._zip is None:
                self._zip = ZipFile(place)
            with self._zip.open(name) as member:
                content = member.read(node.size + 1)
        except KeyError:
            raise CaptureError(f"{place}: has no buffer {name[:20]!r}, which {self.path.name} names") from None
        except (BadZipFile, NotImplementedError, EOFError, RuntimeError, ValueError, zlib.error) as error:
            raise CaptureError(f"{place}: not the ZIP that belongs to {self.path.name}: {error}") from None
        except OSError as error:
            raise CaptureError(f"{place}: {error.strerror or error}; the export is two files, keep both") from None
        if len(content) != node.size:
            raise CaptureError(f"{place}: buffer {name} has not the {node.size} bytes that {self.path.name} declares")
        return content

    def close(self) -> None:
        """Let go of the ZIP."""
        if self._zip is not None:
            self._zip.close()
