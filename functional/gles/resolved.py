"""State that was resolved for draws, kept while nothing changes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..pipeline.command import Arrays
from ..pipeline.derived import StateDerived
from ..pipeline.state import DrawState
from .buffers import Buffer
from .framebuffers import Framebuffer
from .programs import Program
from .textures import Texture

TextureVersions = list[tuple[Texture, int, bool]]
"""Textures, each with a version of it; or, if it is the same for all contents of its memory, with its allocation."""


def known_textures(textures: TextureVersions) -> bool:
    """Whether textures still are as they were resolved."""
    return all((texture.allocations if lasts else texture.version) == version for texture, version, lasts in textures)


@dataclass(slots=True)
class ResolvedState:
    """State that draws share while only vertices, uniforms and contents change.

    Attributes
    ----------
    textures
        Textures that the samplers refer to.
    derived
        Data derived from the state.
    key
        Revision of the objects, the program and its texture units, and the framebuffer for which it was last valid.
    stages
        Revision of the fixed-function stages for which it was last valid.
    """

    state: DrawState
    textures: TextureVersions
    derived: StateDerived = field(default_factory=StateDerived)
    key: tuple[int, Program, int, Framebuffer] | None = None
    stages: int = -1


class ArraysKey(NamedTuple):
    """Revision of the arrays, and the linked program, that they are resolved for."""

    revision: int
    program: object


@dataclass(slots=True)
class ResolvedArrays:
    """Arrays of a program's draws, valid while nothing changes them.

    Attributes
    ----------
    key
        State that they were resolved for.
    buffers
        Buffers with the version that the arrays refer to.
    room
        Number of vertices in all arrays; -1 if they cannot be reused.
    """

    key: ArraysKey
    arrays: Arrays
    buffers: list[tuple[Buffer, int]]
    room: int
