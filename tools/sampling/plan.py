"""The plan of a sampled simulation: the frames to simulate, and the weight of each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.errors import UserError

if TYPE_CHECKING:
    from .clustering import Clusters

FORMAT_VERSION = 4
WARM_UPS = 8
"""Numbers of frames that warm up for which a plan knows what replayed frames use first, unless more are asked for."""
WARM_UP = 1
"""Frames that warm up before a chosen one, unless others are asked for."""


class PlanError(UserError):
    """A plan that cannot be read, or does not fit what it is used with."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Part):
    """The capture."""

    name: str = Field(description="file name of the captured stream")
    sha256: str = Field(description="hash of the captured stream's bytes")


class Cluster(_Part):
    """Frames that are alike."""

    frames: int = Field(ge=1, description="number of frames that it has")
    chosen: tuple[int, ...] = Field(description="frames to simulate; the first is nearest to the centre, others by lot")
    spread: float = Field(description="root mean square distance of its frames from the centre, in average frames")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not 1 <= len(set(self.chosen)) == len(self.chosen) <= self.frames:
            raise ValueError("chosen frames are not distinct frames of the cluster")
        return self


class FirstUses(_Part):
    """Uses of a kind, in its own unit: those of all frames, and first uses by replayed frames."""

    all_frames: int = Field(ge=0, description="what the frames of the capture use")
    by_warm_up: dict[int, tuple[int, ...]] = Field(
        description="by number of frames that warm up: what each replayed frame uses and none before it"
    )


class Plan(_Part):
    """Content of a plan file."""

    format: Literal["tilegpu-plan"] = "tilegpu-plan"
    format_version: int = FORMAT_VERSION
    versions: dict[str, str] = Field(description="of tilegpu and of the packages that made it")
    source: Source
    counts: str = Field(
        default="", description="folder of the counts as seen from the plan's: what frames depend on is in it"
    )
    vector: str = Field(description="vector of a frame: paper, rich or reuse")
    groups: tuple[str, ...] = Field(description="groups of the vector's columns, each 1 on average")
    seed: int = Field(description="of projection, k-means and lots")
    scores: dict[int, float] = Field(description="score by number of clusters, higher is better")
    first_frame: int = Field(description="number of the first frame that the plan stands for")
    cluster_of_frame: tuple[int, ...] = Field(description="place in `clusters` of each frame from the first on")
    clusters: tuple[Cluster, ...]
    first_uses: dict[str, FirstUses] = Field(
        default={},
        description="by kind: blocks that fragments read texels of, those of vertices and indices, lines of the "
        "Parameter Buffer, bytes of commands, and shaders for code",
    )
    repeated_ratio: float = Field(
        default=1.0, ge=0, description="tiles that repeat in all frames over those that chosen frames stand for"
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        sizes = np.bincount(self.cluster_of_frame, minlength=len(self.clusters)).tolist()
        if sizes != [c.frames for c in self.clusters]:
            raise ValueError("clusters do not have the frames that cluster_of_frame says")
        for number, one in enumerate(self.clusters):
            for frame in one.chosen:
                place = frame - self.first_frame
                if not 0 <= place < len(self.cluster_of_frame) or self.cluster_of_frame[place] != number:
                    raise ValueError(f"frame {frame} is not one of cluster {number}")
        for kind, uses in self.first_uses.items():
            for warm_up, used in uses.by_warm_up.items():
                consistent = len(used) == len(self.with_warm_up(warm_up)) and min(used) >= 0
                if not consistent or sum(used) > uses.all_frames:
                    raise ValueError(f"{kind} that frames use first after {warm_up} that warm up are impossible")
        return self

    @property
    def chosen(self) -> tuple[int, ...]:
        """All frames to simulate, ascending."""
        return tuple(sorted(frame for one in self.clusters for frame in one.chosen))

    def with_warm_up(self, frames: int) -> tuple[int, ...]:
        """The same, each after a number of frames that warm up, where the capture has them."""
        return tuple(sorted({n for c in self.chosen for n in range(max(0, c - frames), c + 1)}))

    def total(self, values: Mapping[int, float]) -> float:
        """Total over all frames, from values of the chosen ones: a cluster counts as often as it has frames, with the
        mean of its chosen frames."""
        return sum(one.frames * sum(values[frame] for frame in one.chosen) / len(one.chosen) for one in self.clusters)

    def warm_up_of(self, frames: Sequence[int]) -> int | None:
        """Number of frames that warm up before chosen ones if these are replayed; None if the plan does not know."""
        numbers = {warm_up for uses in self.first_uses.values() for warm_up in uses.by_warm_up}
        return next((n for n in sorted(numbers) if self.with_warm_up(n) == tuple(frames)), None)


def new_plan(clusters: Clusters, each: int, frames: int = 0, **fields: Any) -> Plan:
    """A plan that simulates some frames of each cluster.

    Parameters
    ----------
    clusters
        The clusters.
    each
        Frames to simulate of each cluster; all of a smaller one.
    frames
        Frames of all clusters that are simulated, if that is more.
    fields
        Fields that are not chosen here.
    """
    first, seed = fields["first_frame"], fields["seed"]
    chance = np.random.default_rng(seed)
    members = [np.flatnonzero(clusters.label == number) for number in range(int(clusters.label.max()) + 1)]
    spreads = [float(np.sqrt((clusters.distance[places] ** 2).mean())) for places in members]
    counts = allotted([len(places) for places in members], spreads, each, frames)
    made = []
    for places, spread, count in zip(members, spreads, counts, strict=True):
        central = _central(places, clusters.distance[places])
        others = [int(place) for place in chance.permutation(places) if place != central]
        chosen = [first + place for place in (central, *others[: count - 1])]
        made.append(Cluster(frames=len(places), chosen=tuple(chosen), spread=spread))
    label = tuple(clusters.label.tolist())
    return Plan(scores=clusters.scores, cluster_of_frame=label, clusters=tuple(made), **fields)


def allotted(sizes: Sequence[int], spreads: Sequence[float], each: int, frames: int) -> list[int]:
    """Frames to simulate of clusters with these sizes and spreads.

    `each` of every cluster; what is left of `frames` goes where most is unknown, to clusters of many frames that differ
    (Neyman's allocation).
    """
    counts = [min(each, size) for size in sizes]
    for _ in range(frames - sum(counts)):
        gains = [
            size * spread / np.sqrt(count * (count + 1)) if count < size else 0.0
            for size, spread, count in zip(sizes, spreads, counts, strict=True)
        ]
        if not max(gains):
            break
        counts[int(np.argmax(gains))] += 1
    return counts


def _central(places: NDArray[np.int64], distance: NDArray[np.float64]) -> int:
    """The frame nearest to the centre; the middle one of several, as the first may follow frames of another kind."""
    nearest = places[distance <= distance.min() + 1e-9]
    return int(nearest[len(nearest) // 2])


def write_plan(plan: Plan, path: Path) -> None:
    """Write a plan file."""
    with whole_file(path) as partial:
        partial.write_text(plan.model_dump_json(indent=1) + "\n", "utf-8")


def read_plan(path: Path) -> Plan:
    """Read and check a plan file.

    Raises
    ------
    PlanError
        It is none, or of another version, or contradicts itself.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise PlanError(f"{path}: cannot be read as a plan ({error})") from None
    if not isinstance(content, dict) or content.get("format") != "tilegpu-plan":
        raise PlanError(f"{path}: not a plan; make one with `tilegpu sample`")
    if content.get("format_version") != FORMAT_VERSION:
        raise PlanError(f"{path}: format version {content.get('format_version')}; this tilegpu reads {FORMAT_VERSION}")
    try:
        return Plan.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        raise PlanError(f"{path}: {'.'.join(map(str, first['loc'])) or 'plan'}: {first['msg']}") from None
