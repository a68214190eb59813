"""From counts of frames to a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilegpu.functional.characterize.files import Characterization

from .clustering import cluster
from .plan import Plan, new_plan
from .vectors import Vectors, first_uses

ALONE_SHARE = 4
"""One cluster in this many may be a single frame that represents only itself."""


@dataclass(frozen=True)
class Wanted:
    """How many frames a plan may have.

    Attributes
    ----------
    clusters
        Most clusters.
    each
        Frames to simulate of each.
    frames
        Most frames to simulate, those that warm up apart; 0: as many as the clusters ask for.
    seed
        Of everything left to chance.
    """

    clusters: int
    each: int
    frames: int
    seed: int


def planned(counts: Characterization, compared: Vectors, wanted: Wanted, /, **known: Any) -> Plan:
    """A plan from counts of frames.

    Parameters
    ----------
    counts, compared
        Counts of the frames, and their vectors.
    wanted
        How many frames.
    known
        Fields `versions`, `source`, `counts` and `vector` of the plan.
    """
    each, most = wanted.each, wanted.clusters
    if wanted.frames:
        each = min(each, wanted.frames)
        most = min(most, wanted.frames // each)
    # Frames that represent only themselves leave at least one cluster for the others.
    alone = first_uses(counts, most // ALONE_SHARE) if most > 1 else []
    if wanted.frames:
        most = max(1, min(wanted.clusters, (wanted.frames - len(alone)) // each))
    clusters = cluster(compared.values, most, wanted.seed, alone=alone)
    known |= {"groups": compared.groups, "seed": wanted.seed, "first_frame": counts.manifest.first_frame}
    return new_plan(clusters, each, wanted.frames, **known)
