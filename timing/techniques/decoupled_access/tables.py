"""Texture operations with addresses that are known before their warp executes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine import frame as f
from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.frame import Shading


MAX_OPERATIONS = 62
"""Bits that mark which operations of a path are known; later ones are not."""
ORIGINS = {"varying": ("varying",), "computed": ("varying", "alu")}

PATH = np.dtype([("independent", "i8"), ("operations", "i4"), ("loads", "i1")], align=True)
"""Path: its texture operations, which of them are known (a bit each), and whether it loads colours."""


class Tables(NamedTuple):
    """Known operations of each path of the frame."""

    path: np.ndarray[Any, Any]


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Known operations by path: those with coordinates of a known origin, in the first basic block of their program."""
    instructions = source.activity.table("instructions")
    origins = ORIGINS[configuration.of(Parameters).coord_origin]
    independent = [
        origin in origins and block == 0
        for origin, block in zip(
            instructions["coord_origin"].to_pylist(), instructions["block"].to_pylist(), strict=True
        )
    ]
    return known_paths(np.array(independent, bool), frame.shading)


def known_paths(independent: np.ndarray[Any, Any], shading: Shading) -> Tables:
    """The same from what is known of each recorded instruction.

    Parameters
    ----------
    independent
        bool, (instructions,): whether the operation's addresses are known.
    shading
        Tables of the frame; instructions that were not recorded follow those that were.
    """
    instruction, sequence = shading.instruction, shading.sequence
    every = np.zeros(len(instruction), bool)
    every[: len(independent)] = independent
    loads = (instruction["kind"] == f.MEM) & (instruction["access"] == f.COLOR_LOAD)
    has_memory_unit = bool((instruction["kind"] == f.MEM).any())
    table = np.zeros(len(shading.path), PATH)
    for row, path in zip(table, np.asarray(shading.path), strict=True):
        executed = sequence[path["first"] : path["last"]]
        operations = executed[instruction["kind"][executed] == f.TEX]
        row["operations"] = len(operations)
        row["independent"] = sum(1 << n for n, i in enumerate(operations[:MAX_OPERATIONS]) if every[i])
        # Blending units load what the state of the draw says.
        row["loads"] = loads[executed].any() or not has_memory_unit
    return Tables(table)
