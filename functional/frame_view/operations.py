"""Operations of a frame: what a page about the frame shows of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..operation_names import operation_name
from .geometry import Mesh, VertexTable
from .outcomes import OutcomeMap
from .planes import Delta, PlaneKey


@dataclass
class DrawDetail:
    """State of a draw, and what became of it.

    Attributes
    ----------
    program
        Place in the frame's list of programs.
    label
        Debug label of the object drawn, "" without one.
    collisionable
        Whether the label says that the object takes part in collision detection.
    row
        Its row of the activity without vertex data, with the names of attributes and uniforms of its program.
    uniforms, samplers
        As `uniform_rows` and `Textures.bound` give them.
    ways
        How `tilegpu render` executes it; see `Plan.ways`.
    covered, fragments
        Quads that its primitives cover, and fragments that pass all tests.
    """

    program: int
    label: str
    collisionable: bool
    row: dict[str, Any]
    uniforms: list[tuple[str, str, str]]
    samplers: list[dict[str, Any]]
    ways: tuple[str, str]
    covered: int = 0
    fragments: int = 0
    vertices: VertexTable | None = None
    mesh: Mesh | None = None
    outcomes: OutcomeMap | None = None


@dataclass
class Operation:
    """A draw, clear, blit, copy, dispatch or other operation.

    Attributes
    ----------
    kind
        draw, dispatch, or the kind of an event; see `Listener.event`.
    call
        Its number in the stream.
    title
        What it is, in a few words.
    pass_number
        Number of the pass within the frame; None for operations outside of passes.
    planes
        Planes that it may change, in the order of the framebuffer's slots.
    changes
        What it changed.
    detail
        Of a draw.
    facts
        Names and texts, of other operations.
    number
        Number in the frame: draws and dispatches are counted from 0; None of other operations.
    """

    kind: str
    call: int
    title: str
    pass_number: int | None = None
    planes: list[PlaneKey] = field(default_factory=list)
    changes: list[tuple[PlaneKey, Delta]] = field(default_factory=list)
    detail: DrawDetail | None = None
    facts: list[tuple[str, str]] = field(default_factory=list)
    number: int | None = None

    @property
    def name(self) -> str:
        """Its name, by number and call."""
        return operation_name(self.kind, self.number, self.call)


@dataclass(frozen=True)
class SeenProgram:
    """A program that draws or dispatches.

    Attributes
    ----------
    name
        In the API.
    sources
        Text of the shaders by stage.
    instructions
        By stage, as `tilegpu shader` counts them.
    """

    name: int
    sources: dict[str, str]
    instructions: dict[str, int]


@dataclass(frozen=True)
class SeenPlane:
    """A plane that operations of the frame change.

    Attributes
    ----------
    key
        Its identity.
    label
        What it is, such as `window color`.
    width, height
        Size in pixels.
    """

    key: PlaneKey
    label: str
    width: int
    height: int
