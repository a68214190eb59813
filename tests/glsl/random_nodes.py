"""What random programs are made of: text and meaning, side by side.

Values are floats, ints, lists of floats (vectors and arrays) and dicts (structures). The operations are exact on
multiples of 1/4 between -8 and 8, and stay among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor
from typing import Any

State = dict[str, Any]
LETTERS = "xyzw"
VECTORS = {1: "float", 2: "vec2", 3: "vec3", 4: "vec4"}


class Jumped(Exception):
    """A break, continue or return on its way out; ``args`` are its kind and the value that is returned."""


@dataclass(frozen=True)
class Node:
    """``glsl`` is the text, ``run`` computes it in a state."""

    glsl: str
    run: Callable[[State], Any]


def clamped(x: float) -> float:
    """Within the range that all values are in."""
    return min(max(x, -8.0), 8.0)


def each(function: Callable[..., float], *values: Any) -> Any:
    """A function of floats component by component; floats go with every component of a vector."""
    width = max(len(v) if isinstance(v, list) else 0 for v in values)
    if not width:
        return function(*values)
    return [function(*(v[i] if isinstance(v, list) else v for v in values)) for i in range(width)]


UNARY: dict[str, Callable[[float], float]] = {
    "-": lambda x: -x,
    "abs": abs,
    "floor": lambda x: float(floor(x)),
    "fract": lambda x: x - floor(x),
}
BINARY: dict[str, Callable[[float, float], float]] = {
    "clamp({0} + {1}, -8.0, 8.0)": lambda x, y: clamped(x + y),
    "clamp({0} - {1}, -8.0, 8.0)": lambda x, y: clamped(x - y),
    "clamp(floor({0} * {1} * 4.0) * 0.25, -8.0, 8.0)": lambda x, y: clamped(floor(x * y * 4.0) * 0.25),
    "min({0}, {1})": min,
    "max({0}, {1})": max,
}


def read_place(where: Callable[[State], list[Any]], s: State) -> Any:
    """What is in a place."""
    container, key = where(s)
    return container[key]


def branch(condition: Node, then: Node, other: Node | None) -> Node:
    """An if, with or without an else."""

    def run(s: State) -> None:
        if condition.run(s):
            then.run(s)
        elif other is not None:
            other.run(s)

    text = f"if {condition.glsl} {{\n{then.glsl}}}"
    return Node(text + (f" else {{\n{other.glsl}}}\n" if other else "\n"), run)


def choose(text: str, read: Callable[[State], Any], chosen: list[int], of: int) -> Node:
    """Components of what is read; of a float, itself again and again."""
    if of == 1:
        whole = text if len(chosen) == 1 else f"{VECTORS[len(chosen)]}({text})"
        return Node(whole, lambda s: read(s) if len(chosen) == 1 else [read(s)] * len(chosen))
    letters = "".join(LETTERS[c] for c in chosen)
    if len(chosen) == 1:
        return Node(f"{text}.{letters}", lambda s: read(s)[chosen[0]])
    return Node(f"{text}.{letters}", lambda s: [v[c] for v in [read(s)] for c in chosen])
