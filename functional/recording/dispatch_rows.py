"""Rows of dispatches: what they are bound to, paths of their invocations, what these access and sample."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.schema import TABLES
from ..execute.memory import Access, ShaderMemory
from ..execute.paths import PathTable
from ..gles.context import Context
from ..gles.programs import Program
from ..gles.resolve_memory import bound_image, bound_range
from ..glsl.ir.program import Shader
from ..pipeline.compute.dispatch import Dispatch
from ..pipeline.texturing.reads import Reads
from .dispatch_reads import DispatchReads
from .draws import binding_rows, upload_rows
from .memory_rows import MemoryRows
from .rows import Rows
from .summary import Summary

_NAMES = tuple(column.name for column in TABLES["dispatches"].columns if column.name != "frame")


class DispatchRows:
    """Rows of the tables of dispatches of some frames."""

    def __init__(self) -> None:
        self.dispatches = Rows(*_NAMES)
        self.invocations = Rows("dispatch", "first", "count", "path")
        self.memory = MemoryRows()
        self.reads = DispatchReads()

    @property
    def count(self) -> int:
        """Number of rows of all tables."""
        return self.dispatches.count + self.invocations.count + self.memory.count + self.reads.count

    def tables(self) -> dict[str, Any]:
        """The tables by name."""
        return {
            "dispatches": self.dispatches,
            "invocations": self.invocations,
            "memory_accesses": self.memory,
            "compute_texture_reads": self.reads,
        }

    def add(self, place: tuple[int, int, int, int], context: Context, program: Program, dispatch: Dispatch) -> None:
        """Append the row of a dispatch: its key, number and event, and the number of its program."""
        key, number, event, program_number = place
        buffer, offset = dispatch.indirect if dispatch.indirect is not None else (None, None)
        self.dispatches.add(
            dispatch=key,
            number=number,
            event=event,
            program=program_number,
            **dict(zip(("groups_x", "groups_y", "groups_z"), dispatch.groups, strict=True)),
            indirect_buffer=buffer,
            indirect_offset_bytes=offset,
            buffers=bound_buffers(context, dispatch.shader),
            images=bound_images(context, dispatch.shader, dispatch.memory),
            bindings=binding_rows("compute", dispatch.samplers),
            uploads=upload_rows(program),
        )


def bound_buffers(context: Context, shader: Shader) -> list[dict[str, int]]:
    """Ranges of buffers that a shader accesses, a row each."""
    rows = []
    for index, declared in enumerate(shader.buffers):
        bound = bound_range(context, declared)
        buffer, offset, size = (-1, 0, 0) if bound is None else (bound.buffer.identity, bound.offset, bound.room)
        rows.append(dict(index=index, buffer=buffer, offset_bytes=offset, size_bytes=size))
    return rows


def bound_images(context: Context, shader: Shader, memory: ShaderMemory) -> list[dict[str, int]]:
    """Images of textures that a shader accesses, a row each."""
    rows = []
    for index, declared in enumerate(shader.images):
        bound = bound_image(context, declared)
        width, height, layers = memory.images[index].size
        surface, level, layer = -1, 0, 0
        if bound is not None:
            texture, unit = bound
            surface, level, layer = texture.identity, unit.level, unit.layer if unit.single else 0
        size = dict(width=width, height=height, layers=layers)
        rows.append(dict(index=index, surface=surface, level=level, first_layer=layer, **size))
    return rows


class RecordedDispatch:
    """Sink of one dispatch.

    Parameters
    ----------
    rows
        Where rows go; None for counts alone.
    summary
        Counts of the frame.
    paths
        Numbers the paths of the shader.
    dispatch
        What is executed.
    number, program
        Numbers of the dispatch and its program.
    """

    def __init__(
        self,
        rows: DispatchRows | None,
        summary: Summary,
        paths: PathTable,
        dispatch: Dispatch,
        number: int,
        program: int,
    ) -> None:
        self.paths = paths
        self._rows, self._summary = rows, summary
        self._dispatch, self._number, self._program = dispatch, number, program

    def add_groups(self, first: int, paths: NDArray[np.int64], accesses: list[Access], reads: list[Reads]) -> None:
        """Record some work groups from a number on."""
        size = self._dispatch.shader.local_size
        self._summary.invocations(self._program, self.paths, paths, accesses)
        if self._rows is None:
            return
        starts = np.flatnonzero(np.diff(paths, prepend=-1))
        counts = np.diff(np.append(starts, len(paths)))
        before = first * prod(size)
        for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
            self._rows.invocations.append((self._number, before + start, count, int(paths[start])))
        self._rows.memory.add(self._number, first, accesses, size)
        if reads:
            self._rows.reads.add(self._number, first, reads, prod(size))
