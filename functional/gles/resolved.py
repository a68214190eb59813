"""What was resolved from the state for draws, and is kept while nothing changes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..pipeline.command import ArraysDerived, DrawCommand, VertexArray
from .buffers import Buffer
from .framebuffers import Framebuffer
from .programs import Program
from .textures import Texture

Key = tuple[int, Program, object, int, Framebuffer]
Constant = tuple[float, float, float, float]


@dataclass(slots=True)
class ResolvedState:
    """What draws have in common while nothing but vertices, uniforms and contents change.

    Attributes
    ----------
    key
        Revision of the state, program and its texture units, and framebuffer that it was resolved for.
    textures
        Textures with the version that the samplers show.
    command
        A draw in that state, of no vertices.
    kept
        What must live as long as it is kept; see `state_content`.
    """

    key: Key
    textures: list[tuple[Texture, int]]
    command: DrawCommand
    kept: list[object] = field(default_factory=list)


@dataclass(slots=True)
class ResolvedArrays:
    """Arrays of a program's draws, for as long as nothing changes them.

    Attributes
    ----------
    key
        Revisions of the state, and the program, that they were resolved for.
    arrays, constants
        By attribute location.
    buffers
        Buffers with the version that the arrays show.
    room
        Vertices that all arrays have; -1 where they may not be used again.
    label
        Debug label of what is drawn.
    derived
        What was made of them; good for as long as the buffers stay where they are.
    """

    key: tuple[int, int, object]
    arrays: dict[int, VertexArray]
    constants: dict[int, Constant]
    buffers: list[tuple[Buffer, int]]
    room: int
    label: str
    derived: ArraysDerived = field(default_factory=ArraysDerived)
