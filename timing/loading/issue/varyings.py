"""Varyings of fragment programs, as loads and interpolation: on Arm's unified cores a program loads each of them once.

An instruction that reads a varying first waits for it. A texture operation at coordinates that are a varying as it is
interpolates them by itself, whenever it is executed; they keep 32 bits, which is what Mesa's panfrost does
(`bi_fp32_varying_mask`).

The place of a fragment (`gl_FragCoord`) is no varying on Bifrost and Valhall: x and y are in a register, as integers
that the program converts, z and w are messages (`bi_emit_load_frag_coord`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa

from .operations import Row, components

COORDINATES = 2
PLACE = re.compile(r"^DCL IN\[(\d+)\] frag_coord\b", re.MULTILINE)
Places = Mapping[int, frozenset[int]]
"""Inputs of each program that are the place of the fragment."""


class Loads(NamedTuple):
    """Of each instruction of a program: varyings or attributes that it loads, 16-bit channels that are interpolated for
    it, and components of the fragment's place that are converted for it."""

    vectors: list[int]
    channels: list[int]
    places: list[int]


def places_of(programs: pa.Table) -> Places:
    """Inputs of fragment programs that are the place of the fragment.

    Parameters
    ----------
    programs
        Table of the activity.
    """
    numbers, texts = programs["program"].to_pylist(), programs["fragment_ir"].to_pylist()
    return {n: frozenset(map(int, PLACE.findall(text or ""))) for n, text in zip(numbers, texts, strict=True)}


def loads(rows: list[Row], places: frozenset[int] = frozenset()) -> Loads:
    """Loads of the instructions of a program.

    Parameters
    ----------
    rows
        Rows of the activity's table `instructions`, of one program's stage, in order.
    places
        Inputs that are the place of the fragment.
    """
    fragment = rows[0]["stage"] == "fragment" if rows else False
    totals = Loads([0] * len(rows), [0] * len(rows), [0] * len(rows))
    placed: set[str] = set()
    first: dict[int, int] = {}
    read: dict[int, set[str]] = {}
    half: dict[int, bool] = {}
    for i, row in enumerate(rows):
        if fragment and row["class"] == "tex" and row["coord_origin"] == "varying":
            totals.channels[i] += 2 * COORDINATES
            continue
        for number, source in enumerate(row["sources"] or ()):
            if source["file"] != "IN":
                continue
            index = source["index"]
            if fragment and index in places:
                new = components(row, number) - placed
                placed |= new
                totals.places[i] += len(new & {"x", "y"})
                totals.vectors[i] += len(new & {"z", "w"})
                continue
            first.setdefault(index, i)
            read.setdefault(index, set()).update(components(row, number))
            half[index] = half.get(index, True) and row["half"]
    for index, i in first.items():
        totals.vectors[i] += 1
        if fragment:
            totals.channels[i] += len(read[index]) * (1 if half[index] else 2)
    return totals
