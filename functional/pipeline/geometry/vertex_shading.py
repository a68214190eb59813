"""Vertex shading: runs once for every distinct vertex of a draw (post-transform reuse)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compile import kernel
from ...compile.blocks import FloatRows, Floats, Words
from ...execute.backend import Backend
from ...execute.memory import Access
from ...execute.paths import PathTable
from ...glsl import LinkedProgram
from ..command import DrawCommand
from ..texturing.reads import Reads
from ..texturing.unit import TextureUnit
from .vertex_fetch import FetchedVertices

CHUNK = 16384
_POSITION, _POINT_SIZE, _NOWHERE = -1, -2, -3


@dataclass(slots=True)
class ShadedVertices:
    """Results of the vertex shader.

    Attributes
    ----------
    clip
        float32, (n, 4): clip coordinates.
    outputs
        float32, (n, 4 * slots): varyings, by slot.
    point_size
        float32, (n,): gl_PointSize, 1 if it is not written.
    paths
        int32, (n,): executed path.
    reads
        Texture reads per chunk of `CHUNK` vertices: (first vertex, reads).
    accesses
        Accesses to buffers and images per chunk: (first vertex, vertices, accesses).
    """

    clip: NDArray[np.float32]
    outputs: NDArray[np.float32]
    point_size: NDArray[np.float32]
    paths: NDArray[np.int32]
    reads: list[tuple[int, Reads]]
    accesses: list[tuple[int, int, list[Access]]] = field(default_factory=list)


@lru_cache(maxsize=256)
def varying_slots(program: LinkedProgram) -> int:
    """Vec4 slots between the stages."""
    read = {varying.name for varying in program.varyings}
    outputs = program.vertex.outputs
    return max((d.slot + 1 for d in outputs if d.semantic == "varying" and d.name in read), default=0)


def passed_on(program: LinkedProgram, shaded: ShadedVertices) -> ShadedVertices:
    """Vertices without the outputs that only transform feedback captures."""
    if not program.captured:
        return shaded
    return replace(shaded, outputs=np.ascontiguousarray(shaded.outputs[:, : 4 * varying_slots(program)]))


class OutputPlaces(NamedTuple):
    """Destinations of the outputs of a vertex shader.

    Attributes
    ----------
    places
        int64, (outputs,): slot of a varying, or a code.
    slots, all_written
        Slots of varyings, and whether all of these and the position are written.
    """

    places: NDArray[np.int64]
    slots: int
    all_written: bool


@lru_cache(maxsize=256)
def output_places(program: LinkedProgram) -> OutputPlaces:
    """Destinations of its outputs."""
    slots = {"position": _POSITION, "point_size": _POINT_SIZE}
    places = [d.slot if d.semantic == "varying" else slots.get(d.semantic, _NOWHERE) for d in program.vertex.outputs]
    count = max((place + 1 for place in places if place >= 0), default=0)
    all_written = set(range(count)) <= set(places) and _POSITION in places
    return OutputPlaces(np.array(places, np.int64), count, all_written)


@kernel
def place_outputs(
    outputs: Any, places: Words, first: int, clip: FloatRows, varyings: FloatRows, point_size: Floats
) -> None:
    """Sort the outputs of a shader by their meaning.

    Parameters
    ----------
    outputs
        float32, (outputs, 4, n).
    places
        int64, (outputs,): vec4 slot of a varying, or a code.
    first
        Vertex of the first lane.
    clip, varyings, point_size
        float32, of all vertices, to fill.
    """
    for k in range(len(places)):
        place = places[k]
        for i in range(outputs.shape[2]):
            v = first + i
            if place >= 0:
                for c in range(4):
                    varyings[v, 4 * place + c] = outputs[k, c, i]
            elif place == _POSITION:
                for c in range(4):
                    clip[v, c] = outputs[k, c, i]
            elif place == _POINT_SIZE:
                point_size[v] = outputs[k, 0, i]


def shade_vertices(
    draw: DrawCommand, fetched: FetchedVertices, backend: Backend, paths: PathTable | None
) -> ShadedVertices:
    """Run the vertex shader over all distinct vertices.

    Parameters
    ----------
    draw
        The draw.
    fetched
        Its vertices.
    backend
        Executes the IR.
    paths
        Numbers executed paths; None to note none.
    """
    n = fetched.inputs.shape[2]
    places, slots, all_written = output_places(draw.state.program)
    new = np.empty if all_written else np.zeros
    clip, outputs = new((n, 4), np.float32), new((n, 4 * slots), np.float32)
    point_size = np.ones(n, np.float32)
    result = ShadedVertices(clip, outputs, point_size, np.zeros(n, np.int32), [])
    shader = draw.state.program.vertex
    for start in range(0, n, CHUNK):
        noted: list[Reads] | None = [] if paths is not None else None
        memory = draw.memory.get("vertex")
        if memory is not None:
            memory.noted = None if paths is None else []
        done = backend.run(
            shader,
            fetched.inputs if n <= CHUNK else np.ascontiguousarray(fetched.inputs[:, :, start : start + CHUNK]),
            draw.state.constants.vertex,
            TextureUnit(draw.state.samplers.vertex, False, noted),
            paths,
            memory=memory,
        )
        place_outputs(done.outputs, places, start, clip, outputs, point_size)
        if done.paths is not None:
            result.paths[start : start + CHUNK] = done.paths
        if memory is not None and memory.noted:
            result.accesses.append((start, min(CHUNK, n - start), memory.noted))
        if noted:
            result.reads.extend((start, reads) for reads in noted)
    return result
