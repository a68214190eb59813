"""Draws of two results that are the same draw: by label, program and order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

Row = dict[str, Any]
Key = Callable[[Row], Hashable]
_VERTICES = "geometry.vertex_processor.vertices", "simt.core.vertices"


class MatchedDraws(NamedTuple):
    """Draws of both results, and those of one alone, in their order."""

    pairs: list[tuple[Row, Row]]
    vanished: list[Row]
    appeared: list[Row]


def match(before: Sequence[Row], after: Sequence[Row]) -> MatchedDraws:
    """Match the draws and dispatches of each frame.

    Those of the same label, shaders and size in the same order belong together; of what is left, those of the same
    label and shaders, then those of the same label, then those of the same shaders without one. In each step the
    longest common sequence is found first, so that a draw that is inserted or left out moves no other.
    """
    pairs: list[tuple[Row, Row]] = []
    unmatched: list[list[Row]] = [list(before), list(after)]
    for key in (_like, _alike, _labelled, _shaded):
        frames: dict[Hashable, list[list[Row]]] = defaultdict(lambda: [[], []])
        for side, rows in enumerate(unmatched):
            for row in rows:
                frames[row["drawn_frame"], row["kind"]][side].append(row)
        for one, other in frames.values():
            pairs += _in_order(one, other, key)
        matched = {id(row) for pair in pairs for row in pair}
        unmatched = [[row for row in rows if id(row) not in matched] for rows in unmatched]
    pairs.sort(key=lambda pair: (pair[1]["drawn_frame"], pair[1]["draw"]))
    return MatchedDraws(pairs, unmatched[0], unmatched[1])


def _alike(row: Row) -> Hashable:
    return row["label"], row["shaders"]


def _like(row: Row) -> Hashable:
    vertices: Hashable = next((row[name] for name in _VERTICES if name in row), None)
    return row["label"], row["shaders"], vertices


def _labelled(row: Row) -> Hashable:
    label: str | None = row["label"]
    return label


def _shaded(row: Row) -> Hashable:
    return None if row["label"] else row["shaders"]


def _in_order(one: list[Row], other: list[Row], key: Key) -> list[tuple[Row, Row]]:
    """Rows of equal keys, none of them None: first those of a common sequence, then by their order."""
    rows = [[row for row in side if key(row) not in (None, "")] for side in (one, other)]
    keys = [list(map(key, side)) for side in rows]
    pairs, begin = [], 0
    # Nearly all of two results is equal; the search for a sequence takes the square of the rest.
    ends = [len(side) for side in keys]
    while begin < min(ends) and keys[0][begin] == keys[1][begin]:
        pairs.append((rows[0][begin], rows[1][begin]))
        begin += 1
    while begin < min(ends) and keys[0][ends[0] - 1] == keys[1][ends[1] - 1]:
        ends = [end - 1 for end in ends]
        pairs.append((rows[0][ends[0]], rows[1][ends[1]]))
    rest = [side[begin:end] for side, end in zip(keys, ends, strict=True)]
    blocks = SequenceMatcher(None, rest[0], rest[1], autojunk=False).get_matching_blocks()
    for first, second, size in blocks:
        for at in range(size):
            pairs.append((rows[0][begin + first + at], rows[1][begin + second + at]))
    matched = {id(row) for pair in pairs for row in pair}
    waiting: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows[1]:
        if id(row) not in matched:
            waiting[key(row)].append(row)
    for row in rows[0]:
        if id(row) not in matched and waiting[key(row)]:
            pairs.append((row, waiting[key(row)].pop(0)))
    return pairs
