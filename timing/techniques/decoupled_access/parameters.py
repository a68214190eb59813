"""Parameters of decoupled access."""

from __future__ import annotations

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number

MAX_ENTRIES = 64


class Parameters(Group, section="technique.decoupled_access"):
    """Prefetch queue of the decoupled fragment processor (Arnau et al., ISCA 2012, 3.3, 3.4, Table 1)."""

    queue: int = number(
        16, "entries", "prefetch queue of a Raster Unit: lines that wait, or are on their way [Table 1]", 1, MAX_ENTRIES
    )
    entry_bits: int = number(40, "bits", "of an entry [Table 1]", 1, 256)
    coord_origin: str = choice(
        "computed",
        {
            "varying": "those with coordinates as they are interpolated",
            "computed": "also those with coordinates that are computed, but not from texels",
        },
        "texture operations whose addresses are known before their warp executes; none behind a branch",
        silent=("varying",),
    )
    remote: str = choice(
        "queue",
        {
            "off": "the L2",
            "queue": "the first-level cache that the queue predicts",
        },
        "where lines that miss come from (3.4)",
    )
    remote_path: str = choice(
        "links",
        {
            "links": "from each to each",
            "bus": "by the bus to the L2, with memory.network = bus",
        },
        "how lines come from other first-level caches; the paper does not say",
    )
    mshrs: str = choice(
        "caches",
        {
            "caches": "one of the cache's own, as for predictors; a line that finds none waits in the queue",
            "queue": "none of the cache's: the queue has what a pending block needs (3.3)",
        },
        "MSHR that a prefetch takes",
    )
    late: str = choice(
        "joined",
        {
            "joined": "it waits for the line",
            "missed": "it asks below, too, as the cache does not know of the line; with mshrs = queue",
        },
        "an access to a line that is being prefetched",
    )
    searched: str = choice(
        "all",
        {
            "all": "all, those that were used before too",
            "active": "active ones",
        },
        "entries that a new one is compared with",
        silent=("active",),
    )
    source_bits: int = number(8, "bits", "of a line's address that are compared (3.4)", 1, 32, silent=(6, 16))
    remote_latency_cycles: int = number(
        8, "cycles", "from a miss to the answer of another first-level cache", 1, 1000, silent=(4, 12)
    )

    @model_validator(mode="after")
    def _fits(self) -> Parameters:
        if self.late == "missed" and self.mshrs != "queue":
            raise UserError("late = missed asks for mshrs = queue: a cache knows what its own MSHRs wait for")
        return self
