"""Observers of draws that one call executes: the common beginning of their blocks, and what their kernels get."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...compile import helper
from ...compile.blocks import Address, Integers, Kernel, Words
from ...compile.native import load
from .geometry_block import Assembled

MAX_LANES = 16
"""Of a vector: kernels fill whole vectors."""


class FlowNotes(NamedTuple):
    """Beginning of a block that says what is noted of the lanes of a shader with branches.

    Attributes
    ----------
    tree
        A `TreeBlock`; empty if instructions are noted.
    grow
        Makes room for more nodes, and returns 1; its argument is unused.
    """

    tree: Words
    grow: Kernel


class ObserverHeader(NamedTuple):
    """Beginning of the block of an observer.

    Attributes
    ----------
    vertices
        Address of a `FlowNotes` for the vertex shader, 0 to note nothing.
    in_parts
        Whether vertices may be drawn before the next ones are fetched.
    """

    vertices: Address
    in_parts: bool


class DrawnGeometry(NamedTuple):
    """Geometry that an observer's kernel gets to rasterize.

    Attributes
    ----------
    geometry
        Primitives and vertices; those whose quads are not known yet are not marked as empty.
    indices, nodes
        Of the shaded vertices, and the node where each ended, or the instructions that it executed, if noted.
    attributes, instance, number
        Their `attribute_table`, and the number of the instance, and of the draw among those that are executed together.
    """

    geometry: Assembled
    indices: Words
    nodes: Integers
    attributes: Words
    instance: int
    number: int


@helper
def grown(followed: int) -> Any:
    """Make room for nodes at the address of a `FlowNotes`; whether that was possible."""
    return load(followed, FlowNotes).grow(followed) != 0
