"""Texels that shaded quads request, from what their texture operations noted."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ..activity.kernels.lanes import lanes_of
from ..jit import kernel
from ..jit.blocks import Halves, Words
from ..pipeline.texturing.reads import OPERATION, LoggedReads


class Shaded(NamedTuple):
    """Covered samples of each quad of a batch, and its shaded quads."""

    coverage: Halves
    which: Words


@kernel
def count_texels(
    records: Annotated[tuple[Any, ...], LoggedReads], quads: Annotated[tuple[Any, ...], Shaded], filtered: Words
) -> int:
    """Texels that covered lanes request, each once per level and probe: one, or those of a filtered read of a sampler.

    Parameters
    ----------
    records
        `LoggedReads`. The last quads of a record may be beyond those that were shaded.
    quads
        `Shaded`.
    filtered
        int64, by sampler: texels of a filtered read, 0 if its reads are not counted.
    """
    logged, part = LoggedReads(*records), Shaded(*quads)
    levels, total = logged.levels, np.int64(0)
    for record in range(len(logged.first)):
        operation, first = logged.operations[logged.operation[record]], logged.first[record] // 4
        texels = filtered[operation[OPERATION.sampler]] if operation[OPERATION.told] else 0
        for k in range(min(levels.shape[2] // 4, len(part.which) - first) if texels else 0):
            covered = lanes_of(np.int64(part.coverage[part.which[first + k]]))
            for lane in range(4):
                place = 4 * k + lane
                requested = texels if logged.linear[record, place] else 1
                for level in range(2):
                    total += requested * (covered >> lane & 1) * (levels[record, level, place] >= 0)
    return int(total)
