"""From counts of frames to a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilegpu.functional.characterize.files import Characterization

from .clustering import cluster
from .plan import Plan, new_plan
from .used_first import first_uses_of
from .vectors import REPEATED, REUSE, Vectors, first_uses

ALONE_SHARE = 4
"""One cluster in this many may be a single frame that represents only itself."""


@dataclass(frozen=True)
class PlanLimits:
    """Limits on the frames of a plan.

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
    warm_ups
        Numbers of frames that warm up, for each of which the plan says what the replayed frames use first.
    """

    clusters: int
    each: int
    frames: int
    seed: int
    warm_ups: Sequence[int] = ()


def planned(counts: Characterization, compared: Vectors, wanted: PlanLimits, /, **fields: Any) -> Plan:
    """A plan from counts of frames.

    Parameters
    ----------
    counts, compared
        Counts of the frames, and their vectors.
    wanted
        How many frames.
    fields
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
    fields |= {"groups": compared.groups, "seed": wanted.seed, "first_frame": counts.manifest.first_frame}
    plan = with_repeated_tiles(new_plan(clusters, each, wanted.frames, **fields), counts)
    return with_first_uses(plan, counts, wanted.warm_ups)


def unlike_others(counts: Characterization) -> set[int]:
    """Frames that use programs first, or whose caches are empty: no other frame can represent them."""
    return {counts.manifest.first_frame + place for place in first_uses(counts, len(counts.frames))}


def with_repeated_tiles(plan: Plan, counts: Characterization) -> Plan:
    """A plan for reuse that says how far tiles that repeat are from those that its chosen frames stand for."""
    if plan.vector != REUSE:
        return plan
    repeated = dict(zip(counts.frames["frame"].to_pylist(), counts.frames[REPEATED].to_pylist(), strict=True))
    represented = plan.total(repeated)
    return plan.model_copy(update={"repeated_ratio": sum(repeated.values()) / represented}) if represented else plan


def with_first_uses(plan: Plan, counts: Characterization, warm_ups: Sequence[int]) -> Plan:
    """A plan that says what the frames of the capture use, and replayed frames as the first of these."""
    if not warm_ups:
        return plan
    replayed = {warm_up: plan.with_warm_up(warm_up) for warm_up in warm_ups}
    return plan.model_copy(update={"first_uses": first_uses_of(counts, replayed)})
