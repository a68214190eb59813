"""What was resolved from the state for draws, and is kept while nothing changes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..pipeline.command import Arrays
from ..pipeline.derived import StateDerived
from ..pipeline.state import DrawState
from .buffers import Buffer
from .framebuffers import Framebuffer
from .programs import Program
from .textures import Texture

TextureVersions = list[tuple[Texture, int]]
"""Textures, each with one of its versions."""


@dataclass(slots=True)
class ResolvedState:
    """What draws have in common while nothing but vertices, uniforms and contents change.

    Attributes
    ----------
    textures
        Textures with the version that the samplers show.
    derived
        What was made of the state.
    key
        Revision of the objects, program and its texture units, and framebuffer that it was last found for.
    stages
        Revision of the fixed-function stages that it was last found for.
    """

    state: DrawState
    textures: TextureVersions
    derived: StateDerived = field(default_factory=StateDerived)
    key: tuple[int, Program, int, Framebuffer] | None = None
    stages: int = -1


@dataclass(slots=True)
class ResolvedArrays:
    """Arrays of a program's draws, for as long as nothing changes them.

    Attributes
    ----------
    key
        Revision of the arrays, and the program, that they were resolved for.
    buffers
        Buffers with the version that the arrays show.
    room
        Vertices that all arrays have; -1 where they may not be used again.
    """

    key: tuple[int, object]
    arrays: Arrays
    buffers: list[tuple[Buffer, int]]
    room: int
