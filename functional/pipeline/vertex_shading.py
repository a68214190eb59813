"""Vertex shading: every distinct vertex of a draw once (post-transform reuse)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..execute.backend import Backend
from ..execute.paths import PathTable
from .command import DrawCommand
from .texturing import Reads, TextureUnit
from .vertex_fetch import FetchedVertices

CHUNK = 16384


@dataclass(frozen=True)
class ShadedVertices:
    """Results of the vertex shader.

    Attributes
    ----------
    clip
        float32, (n, 4): clip coordinates.
    outputs
        float32, (n, 4 * slots): varyings, by slot.
    point_size
        float32, (n,): gl_PointSize, 1 where it is not written.
    paths
        int32, (n,): executed path.
    reads
        Texture reads per chunk of `CHUNK` vertices: (first vertex, reads).
    """

    clip: NDArray[np.float32]
    outputs: NDArray[np.float32]
    point_size: NDArray[np.float32]
    paths: NDArray[np.int32]
    reads: list[tuple[int, Reads]]


def varying_slots(draw: DrawCommand) -> int:
    """Vec4 slots between the stages."""
    read = {varying.name for varying in draw.program.varyings}
    outputs = draw.program.vertex.outputs
    return max((d.slot + 1 for d in outputs if d.semantic == "varying" and d.name in read), default=0)


def output_slots(draw: DrawCommand) -> int:
    """Vec4 slots that the vertex shader fills, those of transform feedback included."""
    return max((d.slot + 1 for d in draw.program.vertex.outputs if d.semantic == "varying"), default=0)


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
        Where executed paths are numbered; None to note none.
    """
    n = fetched.inputs.shape[2]
    slots = output_slots(draw)
    result = ShadedVertices(
        np.zeros((n, 4), np.float32),
        np.zeros((n, 4 * slots), np.float32),
        np.ones(n, np.float32),
        np.zeros(n, np.int32),
        [],
    )
    shader = draw.program.vertex
    for start in range(0, n, CHUNK):
        part = slice(start, min(n, start + CHUNK))
        noted: list[Reads] | None = [] if paths is not None else None
        done = backend.run(
            shader,
            np.ascontiguousarray(fetched.inputs[:, :, part]),
            draw.vertex_constants,
            TextureUnit(draw.vertex_samplers, False, noted),
            paths,
        )
        for declaration, output in zip(shader.outputs, done.outputs, strict=True):
            if declaration.semantic == "position":
                result.clip[part] = output.T
            elif declaration.semantic == "point_size":
                result.point_size[part] = output[0]
            elif declaration.semantic == "varying":
                result.outputs[part, 4 * declaration.slot : 4 * declaration.slot + 4] = output.T
        if done.paths is not None:
            result.paths[part] = done.paths
        result.reads.extend((start, reads) for reads in noted or ())
    return result
