"""Varyings of fragment programs, as loads and interpolation: on Arm's unified cores a program loads each of them once.

An instruction that reads a varying first waits for it. A texture operation at coordinates that are a varying as it is
interpolates them by itself, whenever it is executed; they keep 32 bits, which is what Mesa's panfrost does
(`bi_fp32_varying_mask`).
"""

from __future__ import annotations

from typing import NamedTuple

from .operations import Row, components

COORDINATES = 2


class Loads(NamedTuple):
    """Of each instruction of a program: varyings or attributes that it loads, and 16-bit channels that are interpolated
    for it."""

    vectors: list[int]
    channels: list[int]


def loads(rows: list[Row]) -> Loads:
    """Loads of the instructions of a program.

    Parameters
    ----------
    rows
        Rows of the activity's table `instructions`, of one program's stage, in order.
    """
    fragment = rows[0]["stage"] == "fragment" if rows else False
    found = Loads([0] * len(rows), [0] * len(rows))
    first: dict[int, int] = {}
    read: dict[int, set[str]] = {}
    half: dict[int, bool] = {}
    for i, row in enumerate(rows):
        if fragment and row["class"] == "tex" and row["coord_origin"] == "varying":
            found.channels[i] += 2 * COORDINATES
            continue
        for number, source in enumerate(row["sources"] or ()):
            if source["file"] != "IN":
                continue
            index = source["index"]
            first.setdefault(index, i)
            read.setdefault(index, set()).update(components(row, number))
            half[index] = half.get(index, True) and row["half"]
    for index, i in first.items():
        found.vectors[i] += 1
        if fragment:
            found.channels[i] += len(read[index]) * (1 if half[index] else 2)
    return found
