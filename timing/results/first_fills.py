"""Misses of the last-level cache that filled empty lines: lines that are there for the first time in a run, as long as
the cache has room."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..engine.chip import Chip
from ..loading.moves import STAGING
from ..memory import address_map as regions

TEXELS, BUFFERS, PARAMETERS = "texels", "buffers", "parameter_buffer"
COMMANDS, CODE, OTHERS = "commands", "code", "others"
KINDS = TEXELS, BUFFERS, PARAMETERS, COMMANDS, CODE, OTHERS
"""Content of lines."""
_REGIONS = {
    regions.COMMAND_REGION: COMMANDS,
    regions.CODE_REGION: CODE,
    regions.BUFFER_REGION: BUFFERS,
    regions.SURFACE_REGION: TEXELS,
    regions.PARAMETER_REGION: PARAMETERS,
}


def lines_held(chip: Chip) -> dict[str, int]:
    """Lines that the last-level cache holds, by kind; of texels, those of all surfaces."""
    cache = chip.gpu.cache[0]
    first, count = int(cache.first_line), (int(cache.set_mask) + 1) * int(cache.ways)
    tags = np.asarray(chip.gpu.line.tag[first : first + count])
    addresses = tags[tags >= 0] << int(cache.line_shift)
    staged = (addresses >= STAGING) & (addresses < regions.REGION_BYTES)
    numbers_of_regions, numbers = np.unique(addresses[~staged] // regions.REGION_BYTES, return_counts=True)
    held: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    held[OTHERS] = int(staged.sum())
    for region, number in zip(numbers_of_regions.tolist(), numbers.tolist(), strict=True):
        held[_REGIONS.get(region * regions.REGION_BYTES, OTHERS)] += number
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
    # What else surfaces have are colours and depths.
    grown[OTHERS] += max(0, grown[TEXELS] - texel_misses)
    # Lines of one kind that replace others are not in empty ones. Buffers are apart: programs may give vertices to
    # draws in new memory, frame after frame.
    remaining = min(misses, max(0, sum(grown.values()) - grown[BUFFERS]))
    fills = {}
    for kind in (TEXELS, PARAMETERS, COMMANDS, CODE, OTHERS):
        fills[kind] = max(0, min(grown[kind], texel_misses if kind == TEXELS else misses, remaining))
        remaining -= fills[kind]
    fills[BUFFERS] = max(0, min(grown[BUFFERS], misses - sum(fills.values())))
    return fills
