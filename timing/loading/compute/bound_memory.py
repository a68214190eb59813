"""Buffers and images that programs of dispatches and draws are bound to: the lines of their elements, ranges that are
written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.dispatch_tables import MemoryLine
from ..resources import Resources
from .access_lines import Touched, same_words, texel_addresses, touched
from .warp_accesses import Kind

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
WORD_BYTES = 4


class Bound(NamedTuple):
    """Ranges of buffers and images of a shader, rows of the activity, by their numbers."""

    buffers: dict[int, dict[str, Any]]
    images: dict[int, dict[str, Any]]


def bound_by(row: dict[str, Any], stage: str | None = None) -> Bound:
    """Memory that a dispatch is bound to, or a stage of a draw, by its row in the activity."""
    buffers, images = (
        {bound["index"]: bound for bound in row[name] if stage is None or bound["stage"] == stage}
        for name in ("buffers", "images")
    )
    return Bound(buffers, images)


def lines_of(kind: Kind, elements: Array, bound: Bound, resources: Resources, configuration: Hardware) -> Touched:
    """Lines of accesses to a buffer or an image.

    Parameters
    ----------
    kind
        What they access.
    elements
        int64, (accesses, lanes); -1 for none.
    bound
        Memory of the program.
    resources
        Their addresses.
    configuration
        Layout of images, size of lines.
    """
    if kind.memory == "BUFFER":
        addresses = np.where(elements < 0, -1, _address(bound.buffers[kind.number], resources) + WORD_BYTES * elements)
        return _touched(kind, addresses, WORD_BYTES * kind.words, configuration)
    image = bound.images[kind.number]
    if image["surface"] < 0:
        return touched(np.full_like(elements, -1), 1, configuration.memory.line_bytes)
    level = resources.level_of(image["surface"], image["level"])
    surface = resources.surface[resources.surface_row[image["surface"]]]
    address = int(level["address"]) + image["first_layer"] * int(level["layer_bytes"])
    place = address, int(level["layer_bytes"])
    return _touched(kind, *texel_addresses(elements, image, surface, place, configuration), configuration)


def local_lines(kind: Kind, elements: Array, configuration: Hardware) -> Touched:
    """Lines of accesses to shared memory that lies in memory, from the beginning of the group's piece on."""
    return _touched(kind, np.where(elements < 0, -1, WORD_BYTES * elements), WORD_BYTES * kind.words, configuration)


def _touched(kind: Kind, addresses: Array, size_bytes: int, configuration: Hardware) -> Touched:
    line_bytes = configuration.memory.line_bytes
    lines = touched(addresses, size_bytes, line_bytes)
    return lines._replace(lanes=same_words(addresses, lines, line_bytes)) if kind.atomic else lines


def written_by(instructions: Iterable[dict[str, Any]], bound: Bound, resources: Resources) -> list[tuple[int, int]]:
    """Ranges of memory, address and bytes, that instructions of a program, rows of the activity, may write."""
    ranges = set()
    for instruction in instructions:
        if instruction["opcode"] == "LOAD":
            continue
        if instruction["memory"] == "BUFFER":
            buffer = bound.buffers[instruction["memory_index"]]
            ranges.add((_address(buffer, resources), max(0, buffer["size_bytes"])))
        elif instruction["memory"] == "IMAGE" and (image := bound.images[instruction["memory_index"]])["surface"] >= 0:
            level = resources.level_of(image["surface"], image["level"])
            ranges.add((int(level["address"]), int(level["layer_bytes"]) * (image["first_layer"] + image["layers"])))
    return sorted(ranges)


def _address(buffer: dict[str, Any], resources: Resources) -> int:
    return int(resources.buffer_address.get(buffer["buffer"], 0) + buffer["offset_bytes"])


def in_order(operations: Array, parts: list[tuple[Array, Touched]]) -> Array:
    """Lines of all accesses in their order; the first of each access is filled in.

    Parameters
    ----------
    operations
        Rows of `MemoryOperation`, with the number of their lines.
    parts
        Rows of some accesses, and their lines.
    """
    ends = np.cumsum(operations["lines"], dtype=np.int64)
    operations["first_line"] = ends - operations["lines"]
    lines = np.zeros(int(ends[-1]) if len(ends) else 0, MemoryLine.dtype)
    for which, part in parts:
        first = np.repeat(operations["first_line"][which], part.counts)
        within = np.arange(len(part.address)) - np.repeat(np.cumsum(part.counts) - part.counts, part.counts)
        place = first + within
        lines["address"][place], lines["sectors"][place], lines["lanes"][place] = part[1:]
    return lines
