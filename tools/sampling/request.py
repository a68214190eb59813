"""Plan of the frames to simulate, as it is asked for by people and scripts."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version

from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.errors import UserError
from tilegpu.functional.optional import optional

from ..choices import WARM_UP_FRAMES
from .plan import WARM_UPS, Plan, Source
from .planning import PlanLimits, planned
from .vectors import VECTORS, vectors

PACKAGES = "tilegpu", "scikit-learn", "numpy"
NEEDED = "sklearn", "threadpoolctl"
"""Modules of the extra that brings them."""


@dataclass(frozen=True)
class PlanRequest:
    """Options of `tilegpu sample`.

    Parameters
    ----------
    vector
        Counts by which frames are compared: "paper", "rich" or "reuse".
    max_clusters
        Most clusters.
    per_cluster
        Frames to simulate of each; 0 for two, or what a budget allows.
    budget
        Most frames to simulate, with those that warm up; 0 for as many as the clusters ask for.
    warm_up
        Frames before each, which a budget counts.
    seed
        Of everything left to chance.
    """

    vector: str = "paper"
    max_clusters: int = 30
    per_cluster: int = 0
    budget: int = 0
    warm_up: int = WARM_UP_FRAMES
    seed: int = 0

    def check(self) -> None:
        """UserError where a plan cannot be made: of wrong options, or without the packages that it needs."""
        if self.vector not in VECTORS:
            raise UserError(f"--vector {self.vector}: choose {', '.join(VECTORS[:-1])} or {VECTORS[-1]}")
        if self.budget and self.budget < 1 + self.warm_up:
            raise UserError(
                f"--budget {self.budget}: one frame and {self.warm_up} that warm up are more; choose "
                f"{1 + self.warm_up} at least"
            )
        for module in NEEDED:
            optional(module, "`tilegpu sample`")


def plan_of(counts: Characterization, wanted: PlanRequest, place: str) -> Plan:
    """Frames that represent those that were counted.

    Parameters
    ----------
    counts
        Of all frames.
    wanted
        Options, which have been checked.
    place
        Folder of the counts, as the plan names it.
    """
    manifest = counts.manifest
    limits = PlanLimits(
        wanted.max_clusters,
        wanted.per_cluster or (1 if wanted.budget else 2),
        wanted.budget // (1 + wanted.warm_up),
        wanted.seed,
        range(max(WARM_UPS, wanted.warm_up) + 1),
    )
    return planned(
        counts,
        vectors(counts, wanted.vector),
        limits,
        versions={name: version(name) for name in PACKAGES},
        counts=place,
        source=Source(name=manifest.source_name, sha256=manifest.source_sha256),
        vector=wanted.vector,
    )
