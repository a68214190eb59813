"""Buffers and images of a shader, from the operations that access them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..opengl.limits import MAX_STAGE_COUNTER_BUFFERS, MAX_STAGE_IMAGES, MAX_STAGE_STORAGE_BLOCKS
from .errors import LinkError
from .ir.opcodes import ADDRESSING, OPCODES
from .ir.program import Buffer, Image, Space
from .ssa import Code, Value
from .ssa.values import walk
from .types import ArrayType, CounterType, ImageType, Type


@dataclass(slots=True)
class MemoryInterface:
    """Buffers and images that a shader accesses, by key; their order gives their indices."""

    buffers: dict[Hashable, Buffer] = field(default_factory=dict)
    images: dict[Hashable, Image] = field(default_factory=dict)

    def index(self, data: Any) -> int:
        """Index of what an operation accesses."""
        if data.space is Space.SHARED:
            return 0
        return [*(self.buffers if data.space is Space.BUFFER else self.images)].index(_key(data))


def memory_interface(code: Code, stage: str) -> MemoryInterface:
    """The buffers and images that code accesses.

    Raises
    ------
    LinkError
        If there are too many.
    """
    interface = MemoryInterface()
    for node in walk(code.nodes):
        if isinstance(node, Value) and node.op in OPCODES and getattr(node.data, "variable", None) is not None:
            shape = OPCODES[node.op].shape
            if shape in ADDRESSING:
                _add(interface, node.data, shape in ("store", "atomic"))
    counters = sum(buffer.kind == "counter" for buffer in interface.buffers.values())
    for count, most, what in (
        (len(interface.buffers) - counters, MAX_STAGE_STORAGE_BLOCKS, "storage blocks"),
        (counters, MAX_STAGE_COUNTER_BUFFERS, "buffers of atomic counters"),
        (len(interface.images), MAX_STAGE_IMAGES, "images"),
    ):
        if count > most:
            raise LinkError(f"{stage} shader: {count} {what} of {most}")
    return interface


def _is_counter(of: Type) -> bool:
    return _is_counter(of.element) if isinstance(of, ArrayType) else isinstance(of, CounterType)


def _key(data: Any) -> Hashable:
    if data.space is Space.BUFFER and _is_counter(data.variable.type):
        return "counter", data.variable.binding
    return data.variable, data.element


def _add(interface: MemoryInterface, data: Any, writes: bool) -> None:
    variable, key = data.variable, _key(data)
    name = variable.block or variable.name
    unit = (variable.binding or 0) + data.element
    whole = variable.type
    if isinstance(whole, ArrayType) and not _is_counter(whole):
        name, whole = f"{name}[{data.element}]", whole.element
    if data.space is Space.IMAGE:
        assert isinstance(whole, ImageType)
        image = interface.images.setdefault(key, Image(name, whole.target, variable.format, unit, writes))
        interface.images[key] = replace(image, writes=image.writes or writes)
    else:
        kind: Literal["storage", "counter"] = "counter" if _is_counter(variable.type) else "storage"
        buffer = interface.buffers.setdefault(key, Buffer("" if kind == "counter" else name, kind, unit, writes))
        interface.buffers[key] = replace(buffer, writes=buffer.writes or writes)
