"""Lines of the texels that compute programs sample: of four invocations in a row as of a quad, and of their warps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ...engine import frame as f
from ..code import Code
from ..source import numbers
from ..textures.grids import Textures
from ..textures.operations import columns_of_reads
from ..textures.texture_lines import Executed, texture_lines
from .access_lines import Touched
from .warp_accesses import NO_LANE, TEXELS, Shape, warp_shape

Array = np.ndarray[Any, Any]
FOUR = 4


class Sampled(NamedTuple):
    """Texture operations of a dispatch.

    Attributes
    ----------
    first
        The first operation of each four invocations, (groups, fours).
    operation, line
        As those of quads.
    """

    first: Array
    operation: Array
    line: Array


class BoundTextures(NamedTuple):
    """Textures of a frame, and the row of a dispatch in their bindings."""

    textures: Textures
    dispatch: int


def read_sampled(
    reads: pa.Table,
    paths: Array,
    program: tuple[int, int],
    sampling: dict[int, dict[str, Any]],
    place: BoundTextures,
    code: Code,
) -> Sampled:
    """Texture operations of a dispatch.

    Parameters
    ----------
    reads
        Rows of the dispatch.
    paths
        Of its invocations, (groups, lanes).
    program
        Its number, and how many instructions it has.
    sampling
        Its texture instructions, rows of the activity, by pc.
    place
        Its textures.
    code
        As loaded.
    """
    groups, lanes = paths.shape
    padded = np.pad(paths, ((0, 0), (0, -lanes % FOUR)), constant_values=-1)
    kinds, which = np.unique(padded.reshape(-1, FOUR), axis=0, return_inverse=True)
    sequences = []
    for kind in kinds.tolist():
        own = tuple(path for path in kind if path >= 0)
        blocks = {path: code.blocks(program[0], "compute", path, program[1]) for path in own}
        sequences.append(warp_shape(sampling, blocks, own).pc)
    ends = np.cumsum([len(s) for s in sequences])
    begins = ends - [len(s) for s in sequences]
    which = which.reshape(-1).astype(np.int64)
    count = (ends - begins)[which]
    first = np.cumsum(count) - count
    owner = numbers(reads, "four").astype(np.int64)
    textures, draw = place
    executed = Executed(
        which,
        first,
        np.full(len(which), draw),
        np.arange(len(which)),
        np.searchsorted(owner, np.arange(len(which) + 1)),
        begins,
        ends,
        np.concatenate(sequences).astype(np.int64),
    )
    operation = np.zeros(int(count.sum()), f.TextureOperation.dtype)
    line = texture_lines(executed, columns_of_reads(reads), textures, operation)
    return Sampled(first.reshape(groups, -1), operation, line)


def sampled_lines(sampled: Sampled, group: int, shape: Shape, first_lane: Array) -> Touched:
    """Lines of the texture instructions of some warps of a group, each once for an instruction of a warp.

    Parameters
    ----------
    sampled
        Of the dispatch.
    shape
        Accesses of each of the warps.
    first_lane
        First lane of each warp in the group, (warps,).
    """
    executing = shape.execution[shape.kinds[TEXELS]] != NO_LANE
    accesses, lanes = executing.shape
    executing = np.pad(executing, ((0, 0), (0, -lanes % FOUR))).reshape(accesses, -1, FOUR).any(2)
    # Alone, four lanes execute their instructions in the order in which they do in their warp.
    nth = np.cumsum(executing, 0) - 1
    first = sampled.first[group][first_lane[:, None] // FOUR + np.arange(executing.shape[1])]
    taking = np.broadcast_to(executing, (len(first_lane), *executing.shape))
    rows = (first[:, None] + nth)[taking]
    access = np.nonzero(taking.reshape(-1, executing.shape[1]))[0]
    counts = sampled.operation["lines"][rows].astype(np.int64)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    address = sampled.line[np.repeat(sampled.operation["first_line"][rows], counts) + within]
    pairs = np.unique(np.stack([np.repeat(access, counts), address]), axis=1)
    total = np.bincount(pairs[0], minlength=len(first_lane) * accesses)
    return Touched(total, pairs[1], np.zeros(pairs.shape[1], np.int64))
