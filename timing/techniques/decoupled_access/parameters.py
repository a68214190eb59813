"""What can be set of decoupled access."""

from __future__ import annotations

from typing import Literal

from tilegpu.timing.declare.parameters import Group, choice, number

from .state import MAX_ENTRIES


class Parameters(Group):
    """Prefetch queue of the decoupled fragment processor (Arnau et al., ISCA 2012, 3.3, 3.4, Table 1)."""

    queue: int = number(
        16, "entries", "prefetch queue of a Raster Unit: lines that wait, or are on their way [Table 1]", 1, MAX_ENTRIES
    )
    entry_bits: int = number(40, "bits", "of an entry [Table 1]", 1, 256)
    coord_origin: Literal["varying", "computed"] = choice(
        "computed",
        "texture operations whose addresses are known before their warp executes: those with coordinates as they are "
        "interpolated; or also those with coordinates that are computed, but not from texels; none behind a branch",
        silent=("varying",),
    )
    remote: Literal["off", "queue"] = choice(
        "queue", "lines that miss come from the L2; or from the first-level cache that the queue predicts (3.4)"
    )
    remote_path: Literal["links", "bus"] = choice(
        "links",
        "how lines come from other first-level caches: from each to each; or by the bus to the L2, with memory.network "
        "= bus; the paper tells neither",
    )
    late: Literal["joined", "missed"] = choice(
        "joined",
        "an access to a line that is being prefetched: waits for it; or asks below, too, for what is under way stands "
        "in the queue and not in the cache's MSHRs (3.3)",
    )
    searched: Literal["all", "active"] = choice(
        "all",
        "entries that a new one is compared with: all, those that were used before too; or active ones",
        silent=("active",),
    )
    source_bits: int = number(8, "bits", "of a line's address that are compared (3.4)", 1, 32, silent=(6, 16))
    remote_latency_cycles: int = number(
        8, "cycles", "from a miss to the answer of another first-level cache", 1, 1000, silent=(4, 12)
    )
