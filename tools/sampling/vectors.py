"""A vector for each frame, of what its programs execute and what there is to draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tilegpu.functional.characterize.files import Characterization

VERTEX, FRAGMENT, PRIMITIVES = "vertex instructions", "fragment instructions", "primitives"
PAPER = VERTEX, FRAGMENT, PRIMITIVES
RICH = {
    "vertices": ("vertices",),
    "visible primitives": ("primitives_visible",),
    "tile entries": ("tile_entries",),
    "fragments": ("fragments",),
    "texels": ("texels",),
    "passes": ("passes",),
    "draws": ("draws", "dispatches"),
}
"""Further groups of the rich vector, by the columns of the frames' table that are in them."""
NEW_TILES = "new tiles"
"""Further group of the vector for reuse: tiles whose inputs are not those of two frames before, which share their frame
buffer."""
REPEATED = "tiles_repeated_2"
REUSE = "reuse"
VECTORS = "paper", "rich", REUSE


@dataclass(frozen=True)
class Vectors:
    """Vectors of frames.

    Attributes
    ----------
    groups
        Names of the groups of columns.
    values
        float64, (frames, columns): each group adds up to 1 on average over the frames.
    """

    groups: tuple[str, ...]
    values: NDArray[np.float64]


def vectors(counts: Characterization, kind: str) -> Vectors:
    """Vectors of all frames.

    Parameters
    ----------
    counts
        Counts of the frames.
    kind
        paper: a column for the instructions that each vertex shader executed, one for each fragment shader, and one for
        primitives, as in MEGsim. rich: also vertices, visible primitives, tile entries, fragments, texels, passes and
        draws. reuse: also tiles that are drawn anew.

    Groups are made comparable by their mean over the frames: 0.1 in a column is a tenth of what an average frame has in
    the column's group.
    """
    groups: dict[str, NDArray[np.float64]] = {
        VERTEX: _by_program(counts, "vertex"),
        FRAGMENT: _by_program(counts, "fragment"),
        PRIMITIVES: _columns(counts.frames, ("primitives",)),
    }
    if kind != "paper":
        groups |= {name: _columns(counts.frames, columns) for name, columns in RICH.items()}
    if kind == REUSE:
        groups[NEW_TILES] = _columns(counts.frames, ("tiles",)) - _columns(counts.frames, (REPEATED,))
    filled = {name: columns for name, columns in groups.items() if columns.any()}
    parts = [columns / columns.sum(axis=1).mean() for columns in filled.values()]
    return Vectors(tuple(filled), np.concatenate(parts, axis=1) if parts else np.zeros((len(counts.frames), 1)))


def first_uses(counts: Characterization, most: int) -> list[int]:
    """Places of frames that no other represents: the first, whose caches are empty, and those that use programs first.

    Parameters
    ----------
    counts
        Counts of the frames.
    most
        How many at most; those with most new programs come first, after the first frame.
    """
    frames, programs = (_numbers(counts.programs[name]).astype(np.int64) for name in ("frame", "program"))
    new: dict[int, int] = {}
    for program in np.unique(programs):
        place = int(frames[programs == program].min()) - counts.manifest.first_frame
        new[place] = new.get(place, 0) + 1
    ordered = sorted(new, key=lambda place: (-new[place], place))
    return list(dict.fromkeys([0, *ordered]))[: max(1, most)]


def _columns(table: pa.Table, names: tuple[str, ...]) -> NDArray[np.float64]:
    return np.stack([_numbers(table[name]) for name in names], axis=1)


def _by_program(counts: Characterization, stage: str) -> NDArray[np.float64]:
    """Instructions by frame and program."""
    rows = counts.programs.filter(pc.equal(counts.programs["stage"], stage))
    programs, column = np.unique(_numbers(rows["program"]), return_inverse=True)
    made = np.zeros((len(counts.frames), len(programs)))
    place = _numbers(rows["frame"]).astype(np.int64) - counts.manifest.first_frame
    made[place, column.reshape(-1)] = _numbers(rows["instructions"])
    return made


def _numbers(column: Any) -> NDArray[np.float64]:
    return np.asarray(pc.fill_null(column, 0).to_numpy().astype(np.float64))
