"""Texture reads as rows: one per quad (or vertex), level and layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.compiled import helper, kernel
from ..pipeline.texturing.reads import LoggedReads, Reads
from .columns import Columns
from .kernels import lanes_of

_ALL: NDArray[np.bool_] = np.zeros(0, np.bool_)


@helper
def reading_lanes(levels: Any, active: Any, probe: Any, quad: Any) -> Any:
    """Mask of the lanes of a quad that read at a probe; `active` of no lanes means all."""
    i = 4 * quad
    a, b, c, d = levels[probe, i], levels[probe, i + 1], levels[probe, i + 2], levels[probe, i + 3]
    left = (1 if a >= 0 else 0) | (2 if b >= 0 else 0) | (4 if c >= 0 else 0) | (8 if d >= 0 else 0)
    if len(active) and left:
        for lane in range(4):
            if not active[i + lane]:
                left &= ~(1 << lane)
    return left


@helper
def reading_alike(left: Any, levels: Any, face: Any, linear: Any, probe: Any, quad: Any) -> tuple[int, int]:
    """First of some lanes of a quad, and the mask of those that read the same image."""
    leader = 0
    while not left >> leader & 1:
        leader += 1
    i = 4 * quad + leader
    level, image, filtered = levels[probe, i], face[i], linear[i]
    same = 0
    for lane in range(4):
        j = 4 * quad + lane
        alike = levels[probe, j] == level and face[j] == image and linear[j] == filtered
        same |= (1 if alike else 0) << lane
    return leader, same & left


@kernel
def count_reads(
    operations: Any, operation: Any, first: Any, levels: Any, face: Any, linear: Any, active: Any, counts: Any
) -> None:
    """Add the rows that each quad makes of all records; see `write_reads`. `counts` is int64, (quads,)."""
    for r in range(len(operation)):
        if not operations[operation[r], 2]:
            continue
        levels_of, face_of, linear_of, counts_of = levels[r], face[r], linear[r], counts[first[r] // 4 :]
        for k in range(min(len(face_of) // 4, len(counts_of))):
            for probe in range(2):
                left = reading_lanes(levels_of, active, probe, k)
                while left:
                    left &= ~reading_alike(left, levels_of, face_of, linear_of, probe, k)[1]
                    counts_of[k] += 1


@kernel
def write_reads(
    operations: Any,
    operation: Any,
    first: Any,
    levels: Any,
    face: Any,
    linear: Any,
    active: Any,
    texel_x: Any,
    texel_y: Any,
    coverage: Any,
    which: Any,
    base: Any,
    following: Any,
    quads: Any,
    numbers: Any,
    flags: Any,
    bytes_: Any,
    words: Any,
    layers: Any,
) -> None:
    """Group the lanes of each quad that read the same image, and write one row per group.

    Parameters
    ----------
    operations, operation, first, levels, face, linear, texel_x, texel_y
        Records, as in `LoggedReads`. The last quads of a record may be
        beyond those that were shaded.
    active
        Lanes that execute a single record; of no lanes means all.
    coverage
        uint16: covered samples of each quad of the batch.
    which, base
        Quads of the batch that were shaded, int64, and the number of its first quad in the frame.
    following
        int64, (quads,): row that comes next for each quad; moved on.
    quads, numbers, flags, bytes_, words, layers
        Rows to fill: int32 quad; int32 x, y, then dx and dy of lanes 1 to 3; bool linear; uint8 sampler, probe, level
        and lanes; uint16 instruction; int16 layer.
    """
    for r in range(len(operation)):
        pc, sampler, told, anisotropic = operations[operation[r]]
        if not told:
            continue
        levels_of, face_of, linear_of, x, y = levels[r], face[r], linear[r], texel_x[r], texel_y[r]
        of_record, next_rows = which[first[r] // 4 :], following[first[r] // 4 :]
        for k in range(min(len(face_of) // 4, len(of_record))):
            covered = lanes_of(np.int64(coverage[of_record[k]]))
            for probe in range(2):
                left = reading_lanes(levels_of, active, probe, k)
                while left:
                    leader, same = reading_alike(left, levels_of, face_of, linear_of, probe, k)
                    left &= ~same
                    i, row = 4 * k + leader, next_rows[k]
                    next_rows[k] += 1
                    quads[0, row] = of_record[k] + base
                    words[0, row] = pc
                    bytes_[0, row], bytes_[1, row] = sampler, anisotropic
                    bytes_[2, row], bytes_[3, row] = levels_of[probe, i], same & covered | (same & ~covered) << 4
                    flags[0, row], layers[0, row] = linear_of[i], face_of[i]
                    numbers[0, row], numbers[1, row] = x[probe, i], y[probe, i]
                    for lane in range(1, 4):
                        reads = same >> lane & 1
                        numbers[2 * lane, row] = x[probe, 4 * k + lane] - x[probe, i] if reads else 0
                        numbers[2 * lane + 1, row] = y[probe, 4 * k + lane] - y[probe, i] if reads else 0


def read_columns() -> Columns:
    """Columns of the table of texture reads."""
    differences = tuple(f"{axis}_{lane}" for lane in (1, 2, 3) for axis in ("dx", "dy"))
    return Columns(
        quads=(np.int32, ("quad",)),
        numbers=(np.int32, ("x", "y", *differences)),
        flags=(np.bool_, ("linear",)),
        bytes=(np.uint8, ("sampler", "probe", "level", "lanes")),
        words=(np.uint16, ("pc",)),
        layers=(np.int16, ("layer",)),
    )


def add_reads(
    table: Columns, reads: list[Reads] | LoggedReads, coverage: NDArray[np.uint16], which: NDArray[np.int64], base: int
) -> None:
    """Rows of the texture operations of a chunk of quads, by quad and then in order of execution.

    Parameters
    ----------
    table
        See `read_columns`.
    reads
        Operations in order of execution.
    coverage
        Of all quads of the batch.
    which, base
        Quads of the batch that were shaded, and the number of its first quad in the frame.
    """
    records = [_logged(reads)] if isinstance(reads, LoggedReads) else [_single(r) for r in reads]
    counts = np.zeros(len(which), np.int64)
    for record, _ in records:
        count_reads(*(*record, counts))
    ends = np.cumsum(counts)
    first = table.grow(int(ends[-1]) if len(ends) else 0)
    following = first + ends - counts
    blocks = (table["quads"], table["numbers"], table["flags"], table["bytes"], table["words"], table["layers"])
    for record, texels in records:
        write_reads(*(*record, *texels, coverage, which, base, following, *blocks))


def _logged(reads: LoggedReads) -> tuple[Any, Any]:
    """What counts records and, with the second part, writes them."""
    lanes = reads.levels, reads.face, reads.linear, _ALL
    return (reads.operations, reads.operation, reads.first, *lanes), (reads.x, reads.y)


def _single(r: Reads) -> tuple[Any, Any]:
    """An operation of all lanes, as one record."""
    operations = np.array([(r.pc, r.sampler, 1, r.probe)], np.int64)
    active = _ALL if r.active is None else np.ascontiguousarray(np.broadcast_to(r.active, len(r.face)))
    lanes = r.levels[None], r.face[None], r.linear[None], active
    return (operations, np.zeros(1, np.int32), np.zeros(1, np.int64), *lanes), (r.x[None], r.y[None])


def vertex_rows(reads: Reads) -> NDArray[np.int32]:
    """Rows of one texture operation over a chunk of vertices: vertex, linear, level, layer, x, y."""
    parts = []
    for probe in range(2):
        which = np.flatnonzero((reads.levels[probe] >= 0) & (True if reads.active is None else reads.active))
        parts.append(
            np.stack(
                [
                    which,
                    reads.linear[which],
                    reads.levels[probe, which],
                    reads.face[which],
                    reads.x[probe, which],
                    reads.y[probe, which],
                ],
                1,
            ).astype(np.int32)
        )
    rows = np.concatenate(parts)
    return rows[np.argsort(rows[:, 0], kind="stable")]
