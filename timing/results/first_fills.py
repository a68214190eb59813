"""Misses of the last-level cache that filled empty lines: lines that are there for the first time in a run, as long as
the cache has room."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..assembly.build import Chip
from ..memory.address_map import BUFFER_REGION, CODE_REGION, PARAMETER_REGION, REGION_BYTES, SURFACE_REGION

TEXELS, BUFFERS, PARAMETERS, CODE, OTHERS = "texels", "buffers", "parameter_buffer", "code", "others"
KINDS = TEXELS, BUFFERS, PARAMETERS, CODE, OTHERS
"""Content of lines."""
_REGIONS = {SURFACE_REGION: TEXELS, BUFFER_REGION: BUFFERS, PARAMETER_REGION: PARAMETERS, CODE_REGION: CODE}


def lines_held(chip: Chip) -> dict[str, int]:
    """Lines that the last-level cache holds, by kind; of texels, those of all surfaces."""
    cache = chip.gpu.cache[0]
    first, count = int(cache.first_line), (int(cache.set_mask) + 1) * int(cache.ways)
    tags = np.asarray(chip.gpu.line.tag[first : first + count])
    regions, numbers = np.unique((tags[tags >= 0] << int(cache.line_shift)) // REGION_BYTES, return_counts=True)
    held: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for region, number in zip(regions.tolist(), numbers.tolist(), strict=True):
        held[_REGIONS.get(region * REGION_BYTES, OTHERS)] += number
    return dict(held)


def first_fills(before: dict[str, int], after: dict[str, int], misses: int, texel_misses: int) -> dict[str, int]:
    """Count first fills between two moments, by kind.

    Parameters
    ----------
    before, after
        Lines held.
    misses, texel_misses
        Misses in between, and those of texture units: lines that were invalidated and came back are no growth.
    """
    grown = {kind: after[kind] - before[kind] for kind in KINDS}
    # Lines of one kind that replace others are not in empty ones. Buffers are apart: programs may give vertices to
    # draws in new memory, frame after frame.
    left = min(misses, max(0, sum(grown.values()) - grown[BUFFERS]))
    found = {}
    for kind, most in ((TEXELS, texel_misses), (PARAMETERS, misses), (CODE, misses), (OTHERS, misses)):
        found[kind] = max(0, min(grown[kind], most, left))
        left -= found[kind]
    found[BUFFERS] = max(0, min(grown[BUFFERS], misses - sum(found.values())))
    return found
