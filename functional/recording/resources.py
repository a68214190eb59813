"""Objects of a recording: surfaces, buffers, programs and the paths of their stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..execute.paths import PathTable
from ..gles.buffers import Buffer
from ..gles.framebuffers import Attachment, Framebuffer, Surface
from ..gles.programs import Program
from ..gles.textures import Texture
from ..glsl import LinkedProgram
from ..glsl.ir.program import Stage
from ..opengl import enums as gl
from ..opengl.formats import DEPTH_BYTES
from ..pipeline.command import Arrays
from ..text import legible
from .program_rows import instruction_rows, program_rows
from .rows import Rows
from .stage_paths import StagePaths

_USAGES = {gl.STREAM_DRAW: "STREAM_DRAW", gl.STATIC_DRAW: "STATIC_DRAW", gl.DYNAMIC_DRAW: "DYNAMIC_DRAW"}
_KINDS = {
    gl.TEXTURE_2D: "texture_2d",
    gl.TEXTURE_CUBE_MAP: "texture_cube",
    gl.TEXTURE_3D: "texture_3d",
    gl.TEXTURE_2D_ARRAY: "texture_2d_array",
}


@dataclass
class Lifetimes:
    """First and last event of every object, by identity, in the finished frames."""

    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    _begun: dict[int, int] = field(default_factory=dict)
    _latest: dict[int, int] = field(default_factory=dict)

    def lived(self, identity: int, event: int) -> None:
        """Note that an object was used or written at an event."""
        self._begun.setdefault(identity, event)
        if self._latest.get(identity, event) <= event:
            self._latest[identity] = event

    def end_frame(self) -> None:
        """Note that the events so far belong to finished frames."""
        for identity, event in self._begun.items():
            self.first.setdefault(identity, event)
        self.last |= self._latest
        self._begun.clear()
        self._latest.clear()


UsedObject = tuple[Lifetimes, int]
"""An object that was used, by its identity."""


@dataclass(slots=True)
class UsedObjects:
    """Objects that consecutive draws use.

    Attributes
    ----------
    arrays, elements, framebuffer, revisions
        What the objects depend on: of the share group's objects, the framebuffer, the program, and its units.
    lived
        The objects.
    last_event
        The last one of these draws.
    """

    arrays: Arrays | None
    elements: Buffer | None
    framebuffer: Framebuffer | None
    revisions: tuple[int, ...]
    lived: list[UsedObject]
    last_event: int

    def end(self) -> None:
        """Note how long the objects lived."""
        for lives, identity in self.lived:
            lives.lived(identity, self.last_event)


NOTHING_USED = UsedObjects(None, None, None, (), [], -1)


@dataclass
class Resources:
    """Collects the rows that are written when a recording ends."""

    surfaces: dict[int, dict[str, Any]] = field(default_factory=dict)
    buffers: dict[int, dict[str, Any]] = field(default_factory=dict)
    programs: dict[int, Program] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    """Number of a linked program by the id of the object, which `linked` keeps alive."""
    linked: dict[int, tuple[LinkedProgram, tuple[str, ...]]] = field(default_factory=dict)
    stage_paths: dict[tuple[int, Stage], StagePaths] = field(default_factory=dict)
    surface_lives: Lifetimes = field(default_factory=Lifetimes)
    buffer_lives: Lifetimes = field(default_factory=Lifetimes)
    _shapes: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    _buffer_shapes: dict[int, tuple[int, int, str]] = field(default_factory=dict)
    """Data that the row of each surface, and of each buffer, was made from."""

    def end_frame(self) -> None:
        """Note that everything so far belongs to finished frames; objects of a frame that never ends are left out."""
        self.surface_lives.end_frame()
        self.buffer_lives.end_frame()

    def texture(self, texture: Texture, event: int) -> UsedObject:
        """Note that a texture was written or read."""
        if texture.multisample is not None:
            return self.surface(texture.multisample, event)
        key = (texture.allocations, texture.first_level, texture.last_level, texture.format, texture.label)
        if self._shapes.get(texture.identity) != key:
            self._shapes[texture.identity] = key
            self._describe_texture(texture)
        return self._surface_lived(texture.identity, event)

    def _surface_lived(self, identity: int, event: int) -> UsedObject:
        self.surface_lives.lived(identity, event)
        return self.surface_lives, identity

    def _describe_texture(self, texture: Texture) -> None:
        bits = texture.format
        self.surfaces[texture.identity] = dict(
            label=legible(texture.label),
            kind=_KINDS.get(texture.target, "texture_2d"),
            format=bits.name if bits else "RGBA8",
            samples=1,
            block_width=bits.block[0] if bits else 1,
            block_height=bits.block[1] if bits else 1,
            block_bytes=bits.texel_bytes if bits else 4,
            layers=max(1, texture.layers(texture.first_level)),
            levels=[dict(width=width, height=height, depth=1) for width, height in _levels(texture)],
        )

    def surface(self, surface: Surface, event: int) -> UsedObject:
        """Note that a renderbuffer or part of the default framebuffer was drawn to."""
        key = (surface.storage, surface.color_format, surface.depth_format, surface.label)
        if self._shapes.get(surface.identity) != key:
            self._shapes[surface.identity] = key
            self._describe_surface(surface)
        return self._surface_lived(surface.identity, event)

    def _describe_surface(self, surface: Surface) -> None:
        color, depth = surface.color_format, surface.depth_format
        self.surfaces[surface.identity] = dict(
            kind=surface.kind,
            label=legible(surface.label),
            format=color.name if color else depth or "STENCIL8",
            samples=surface.samples,
            block_width=1,
            block_height=1,
            block_bytes=color.texel_bytes if color else DEPTH_BYTES[depth] if depth else 1,
            layers=1,
            levels=[dict(width=surface.width, height=surface.height, depth=1)],
        )

    def attachment(self, attachment: Attachment, event: int) -> UsedObject:
        """Note that an attachment was drawn to."""
        if attachment.surface is not None:
            return self.surface(attachment.surface, event)
        assert attachment.texture is not None
        return self.texture(attachment.texture, event)

    def buffer(self, buffer: Buffer, event: int) -> UsedObject:
        """Note that a buffer object was written or read."""
        self.buffer_lives.lived(buffer.identity, event)
        shape = buffer.largest_bytes, buffer.usage, buffer.label
        if self._buffer_shapes.get(buffer.identity) != shape:
            self._buffer_shapes[buffer.identity] = shape
            usage = _USAGES.get(buffer.usage, "STATIC_DRAW")
            self.buffers[buffer.identity] = dict(
                label=legible(buffer.label), size_bytes=buffer.largest_bytes, usage=usage
            )
        return self.buffer_lives, buffer.identity

    def client_array(self, identity: int, size_bytes: int, event: int) -> UsedObject:
        """Note that a client-side array was used."""
        self.buffer_lives.lived(identity, event)
        self.buffers.setdefault(identity, dict(label="", size_bytes=size_bytes, usage="CLIENT"))
        return self.buffer_lives, identity

    def program(self, program: Program) -> int:
        """Number of a program's current link."""
        assert program.linked is not None
        self.linked.setdefault(program.identity, (program.linked, program.sources))
        self.numbers[id(program.linked)] = program.identity
        return program.identity

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the paths of a program's stage, which is executed."""
        return self.paths_of(program, stage).execute()

    def paths_of(self, program: LinkedProgram, stage: Stage) -> StagePaths:
        """The paths of a program's stage, for kernels that may execute it."""
        key = (self.numbers[id(program)], stage)
        if key not in self.stage_paths:
            self.stage_paths[key] = StagePaths(program.shaders[stage])
        return self.stage_paths[key]

    def rows(self) -> dict[str, Rows]:
        """Tables of the whole recording."""
        tables = {name: Rows() for name in ("surfaces", "buffers", "programs", "instructions", "paths")}
        for lives, source, name, key in (
            (self.surface_lives, self.surfaces, "surfaces", "surface"),
            (self.buffer_lives, self.buffers, "buffers", "buffer"),
        ):
            for identity in sorted(lives.first):
                lived = {"first_event": lives.first[identity], "last_event": lives.last[identity]}
                tables[name].add(**{key: identity}, **lived, **source[identity])
        for number, (linked, sources) in sorted(self.linked.items()):
            program_rows(tables["programs"], number, linked, sources)
            for stage in linked.shaders:
                instruction_rows(tables["instructions"], number, stage, linked)
                paths = self.stage_paths.get((number, stage))
                for path, runs in enumerate(paths.table.all_runs() if paths and paths.executed else ()):
                    blocks = [dict(first_pc=pc, repetitions=times) for pc, times in runs]
                    tables["paths"].add(program=number, stage=stage, path=path, runs=blocks)
        return tables


def _levels(texture: Texture) -> list[tuple[int, int]]:
    """Width and height of every level up to the last one.

    Reads and uploads count from level 0, regardless of the base level, and may name levels that do not match the
    others. A missing level is half the previous one or, without one, of the size that the following levels imply.
    """
    shapes = {level: image.shape for (level, layer), image in texture.images.items() if layer == 0}
    sizes: list[tuple[int, int]] = []
    for level in range(max(shapes) + 1 if shapes else 0):
        if level in shapes:
            height, width = shapes[level][:2]
        elif sizes:
            width, height = (max(1, size >> 1) for size in sizes[-1])
        else:
            first = min(shapes)
            height, width = (size << first - level for size in shapes[first][:2])
        sizes.append((width, height))
    return sizes
