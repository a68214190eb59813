"""Texture reads as rows: one per quad (or vertex), level and layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.compiled import kernel
from ..pipeline.texturing import Reads


@kernel
def pack_quads(
    levels: Any, x: Any, y: Any, face: Any, linear: Any, active: Any, coverage: Any, fill: bool, out: Any
) -> int:
    """Group the lanes of each quad that read the same image, and write one row per group.

    Parameters
    ----------
    levels, x, y, face, linear, active
        As in `Reads`; `active` of no lanes means all.
    coverage
        uint16, (quads,): covered lanes.
    fill
        Whether to write rows, or only count them.
    out
        int32, (rows, 13): quad, linear, level, layer, lanes, x, y, then dx and dy of lanes 1 to 3.

    Returns
    -------
    int
        Rows.
    """
    count = 0
    for q in range(len(coverage)):
        for probe in range(2):
            left = 0
            for lane in range(4):
                if levels[probe, 4 * q + lane] >= 0 and (len(active) == 0 or active[4 * q + lane]):
                    left |= 1 << lane
            while left:
                leader = 0
                while not left >> leader & 1:
                    leader += 1
                i = 4 * q + leader
                same = 0
                for lane in range(leader, 4):
                    j = 4 * q + lane
                    if (
                        left >> lane & 1
                        and levels[probe, j] == levels[probe, i]
                        and face[j] == face[i]
                        and linear[j] == linear[i]
                    ):
                        same |= 1 << lane
                if fill:
                    row = out[count]
                    row[0] = q
                    row[1] = linear[i]
                    row[2] = levels[probe, i]
                    row[3] = face[i]
                    row[4] = same & coverage[q] | (same & ~coverage[q]) << 4
                    row[5] = x[probe, i]
                    row[6] = y[probe, i]
                    for lane in range(1, 4):
                        reads = same >> lane & 1
                        row[5 + 2 * lane] = x[probe, 4 * q + lane] - x[probe, i] if reads else 0
                        row[6 + 2 * lane] = y[probe, 4 * q + lane] - y[probe, i] if reads else 0
                count += 1
                left &= ~same
    return count


def quad_rows(reads: Reads, coverage: NDArray[np.uint16]) -> NDArray[np.int32]:
    """Rows of one texture operation over a chunk of quads; see `pack_quads` for the columns."""
    active = (
        np.zeros(0, np.bool_)
        if reads.active is None
        else np.ascontiguousarray(np.broadcast_to(reads.active, len(reads.face)))
    )
    arguments = (reads.levels, reads.x, reads.y, reads.face, reads.linear, active, coverage)
    out = np.zeros((pack_quads(*arguments, False, np.zeros((0, 13), np.int32)), 13), np.int32)
    pack_quads(*arguments, True, out)
    return out


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
