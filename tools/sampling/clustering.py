"""Groups of alike frames: random projection, k-means, and the number of groups by the Bayesian information criterion.

As in SimPoint (Sherwood et al., ASPLOS 2002, section 4.2; the score of Pelleg and Moore, ICML 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.optional import optional

DIMENSIONS = 15
"""Of projected vectors, as in SimPoint; shorter ones are not projected."""
STARTS = 5
"""Times that k-means starts; the best result counts."""
GOOD_SHARE = 0.9
"""Of the range of the scores: the fewest clusters whose score reaches it are chosen, as in SimPoint."""
ALIKE = 0.005
"""Frames that differ less from each other, as a share of an average frame, count as the same: without it, frames that
repeat exactly would need a cluster each."""
Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Clusters:
    """Groups of frames.

    Attributes
    ----------
    label
        int64, (frames,): cluster of each frame; clusters are numbered in order of their first frames.
    distance
        float64, (frames,): distance of each frame from the centre of its cluster, as a share of an average frame.
    scores
        The score of each number of clusters that was tried.
    """

    label: NDArray[np.int64]
    distance: Rows
    scores: dict[int, float]


def cluster(values: Rows, most: int, seed: int, alone: Sequence[int] = ()) -> Clusters:
    """Cluster frames by their vectors.

    Parameters
    ----------
    values
        (frames, columns).
    most
        Most clusters, those of single frames apart.
    seed
        Of the projection, and of the starts of k-means.
    alone
        Places of frames that are clusters of their own.

    Raises
    ------
    MissingPackage
        scikit-learn is not installed.
    """
    kmeans = optional("sklearn.cluster", "`tilegpu sample`").KMeans
    limits = optional("threadpoolctl", "`tilegpu sample`").threadpool_limits
    together = np.setdiff1d(np.arange(len(values)), alone)
    label, distance = np.full(len(values), -1), np.zeros(len(values))
    label[list(alone)] = most + 1 + np.arange(len(alone))
    if not len(together):
        return Clusters(_in_order(label), distance, {})
    points = projected(values, seed)[together]
    scores: dict[int, float] = {}
    models: dict[int, Any] = {}
    distinct = len(np.unique(points, axis=0))
    # Sums of several threads differ from run to run.
    with limits(1):
        for count in range(1, min(most, distinct) + 1):
            models[count] = kmeans(count, n_init=STARTS, random_state=seed).fit(points)
            scores[count] = score(points, models[count].labels_, models[count].cluster_centers_)
    chosen = models[fewest(scores)]
    label[together] = chosen.labels_
    distance[together] = np.linalg.norm(points - chosen.cluster_centers_[chosen.labels_], axis=1)
    return Clusters(_in_order(label), distance, scores)


def _in_order(label: NDArray[Any]) -> NDArray[np.int64]:
    """Labels numbered in order of their first frames."""
    names = {old: new for new, old in enumerate(dict.fromkeys(label.tolist()))}
    return np.array([names[old] for old in label.tolist()], np.int64)


def projected(values: Rows, seed: int) -> Rows:
    """Vectors of at most `DIMENSIONS`, at about the same distances from each other."""
    if values.shape[1] <= DIMENSIONS:
        return values
    directions = np.random.default_rng(seed).normal(size=(values.shape[1], DIMENSIONS))
    return np.asarray(values @ directions / np.sqrt(DIMENSIONS))


def score(points: Rows, label: NDArray[Any], centers: Rows) -> float:
    """The Bayesian information criterion of a clustering, for normal clusters of one variance; higher is better."""
    frames, dimensions = points.shape
    count = len(centers)
    squares = float(((points - centers[label]) ** 2).sum())
    variance = squares / (dimensions * max(frames - count, 1)) + ALIKE**2
    sizes = np.bincount(label, minlength=count)
    likelihood = float((sizes * np.log(sizes / frames)).sum())
    likelihood -= frames * dimensions / 2 * np.log(2 * np.pi * variance) + squares / (2 * variance)
    return float(likelihood - count * (dimensions + 1) / 2 * np.log(frames))


def fewest(scores: dict[int, float]) -> int:
    """The fewest clusters with a good score."""
    low, high = min(scores.values()), max(scores.values())
    return next(count for count, value in scores.items() if value >= low + GOOD_SHARE * (high - low))
