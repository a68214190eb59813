"""Thousands of scenes, some hundred to a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from .batch import Result, compare, scene_of
from .expected import RULES

CHUNK = 512
"""Scenes of one trace, two frames: starting the replayer and making programs cost more than drawing."""


def differing(
    folder: Path, seeds: Sequence[int], eglretrace: str, notice: Callable[[str], None] = lambda line: None
) -> list[Result]:
    """Scenes whose pictures are none of Mesa's, whether a rule says why or not.

    Parameters
    ----------
    folder
        For traces, which are deleted again.
    seeds
        Numbers of the scenes.
    eglretrace
        apitrace's replayer.
    notice
        Called with a line of progress after each trace.
    """
    found: list[Result] = []
    for start in range(0, len(seeds), CHUNK):
        chunk = seeds[start : start + CHUNK]
        trace = folder / f"scenes_{chunk[0]}.trace"
        found += [result for result in compare(trace, chunk, eglretrace) if not result.right]
        trace.unlink()
        wrong = sum(result.rule is None for result in found)
        notice(f"{start + len(chunk)} of {len(seeds)} scenes: {len(found)} differ, {wrong} of them unexplained")
    return found


def summary(seeds: Sequence[int], found: Sequence[Result]) -> str:
    """Scenes and differences by kind, and how often each rule applies."""
    kinds = Counter(scene_of(seed)[0] for seed in seeds)
    wrong = Counter(scene_of(result.seed)[0] for result in found if result.rule is None)
    lines = [f"{kind}: {count} scenes, {wrong[kind]} unexplained" for kind, count in sorted(kinds.items())]
    rules = Counter(RULES.index(result.rule) for result in found if result.rule is not None)
    lines += [f"{count} explained: {RULES[number].reason}" for number, count in sorted(rules.items())]
    return "\n".join(lines)
