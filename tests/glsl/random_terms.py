"""Random expressions over vectors, structures and arrays, without side effects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from .random_nodes import BINARY, UNARY, VECTORS, Node, State, choose, each, read_place

FIELDS = {"f": 1, "g": 2, "h": 4}


@dataclass
class Scope:
    """What a function's statements may name: variables by GLSL type, and functions."""

    floats: dict[str, int]
    ints: list[str]
    structures: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    structure_arrays: list[str] = field(default_factory=list)
    functions: list[Any] = field(default_factory=list)
    returns: bool = False


class Terms:
    """Draws expressions."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.counters = 0

    def swizzle(self, width: int, of: int, distinct: bool = False) -> list[int]:
        """Components of a vector of ``of``."""
        return self.random.sample(range(of), width) if distinct else self.random.choices(range(of), k=width)

    def index(self, scope: Scope, size: int) -> Node:
        """An int below a size, mostly known at run time only."""
        if self.random.random() < 0.3:
            constant = self.random.randrange(size)
            return Node(str(constant), lambda s: constant)
        name = self.random.choice(scope.ints)
        if size == 4:
            return Node(f"{name} & 3", lambda s: s[name] & 3)
        return Node(f"clamp({name}, 0, {size - 1})", lambda s: min(max(s[name], 0), size - 1))

    def place(self, scope: Scope) -> tuple[str, int, Callable[[State], list[Any]]]:
        """A variable or part of one: text, width, and where it is as container and key."""
        kinds = [("v", n) for n in scope.floats] * 3
        kinds += [("s", n) for n in scope.structures] * 2 + [("a", n) for n in scope.arrays] * 2
        kinds += [("t", n) for n in scope.structure_arrays] * 3
        kind, name = self.random.choice(kinds)
        if kind == "v":
            return name, scope.floats[name], lambda s: [s, name]
        if kind == "a":
            index = self.index(scope, 3)
            return f"{name}[{index.glsl}]", 3, lambda s: [s[name], index.run(s)]
        member = self.random.choice(list(FIELDS))
        if kind == "s":
            return f"{name}.{member}", FIELDS[member], lambda s: [s[name], member]
        index = self.index(scope, 2)
        return f"{name}[{index.glsl}].{member}", FIELDS[member], lambda s: [s[name][index.run(s)], member]

    def leaf(self, scope: Scope, width: int) -> Node:
        """Components of something; of a structure made here and there as well."""
        chance = self.random.random()
        if chance < 0.1:
            number = self.random.randrange(-8, 9) / 4
            text = f"({number})" if width == 1 else f"{VECTORS[width]}({number})"
            return Node(text, lambda s: number if width == 1 else [number] * width)
        if chance < 0.2:
            index = self.index(scope, 4)
            chosen = self.swizzle(width, 4)
            return choose(f"table[{index.glsl}]", lambda s: s["table"][index.run(s)], chosen, 4)
        if chance < 0.25:
            parts = [self.leaf(scope, 1) for _ in range(2)]
            index = self.index(scope, 2)
            text = f"S[2](S({parts[0].glsl}, vec2(1.0), vec4(0.25)), S(0.5, vec2({parts[1].glsl}), vec4(1.0)))"
            member = self.random.choice(["f", "g"])

            def value(s: State) -> Any:
                first, second = parts[0].run(s), parts[1].run(s)
                return [{"f": first, "g": [1.0, 1.0]}, {"f": 0.5, "g": [second, second]}][index.run(s)][member]

            of = FIELDS[member]
            return choose(f"{text}[{index.glsl}].{member}", value, self.swizzle(width, of), of)
        text, of, where = self.place(scope)
        return choose(text, lambda s: read_place(where, s), self.swizzle(width, of), of)

    def expression(self, scope: Scope, width: int, depth: int) -> Node:
        """Without side effects."""
        if depth == 0 or self.random.random() < 0.25:
            return self.leaf(scope, width)

        def part(of: int = width) -> Node:
            return self.expression(scope, of, depth - 1)

        kind = self.random.choice(["unary", "binary", "binary", "build", "build", "build", "?", "scalar"])
        if kind == "unary":
            name, x = self.random.choice(list(UNARY)), part()
            return Node(f"({name}({x.glsl}))", lambda s: each(UNARY[name], x.run(s)))
        if kind == "binary":
            form, x, y = self.random.choice(list(BINARY)), part(), part()
            return Node(form.format(x.glsl, y.glsl), lambda s: each(BINARY[form], x.run(s), y.run(s)))
        if kind == "?":
            condition, x, y = self.condition(scope), part(), part()
            text = f"({condition.glsl} ? {x.glsl} : {y.glsl})"
            return Node(text, lambda s: x.run(s) if condition.run(s) else y.run(s))
        if kind == "scalar" or width == 1:
            form, x, y = self.random.choice(list(BINARY)[:2]), part(), part(1)
            return Node(form.format(x.glsl, y.glsl), lambda s: each(BINARY[form], x.run(s), y.run(s)))
        parts, rest = [], width
        while rest:
            of = self.random.randint(1, rest)
            parts.append(part(of) if self.random.random() < 0.4 else self.leaf(scope, of))
            rest -= of
        if len(parts) == 1:
            return parts[0]
        return Node(
            f"{VECTORS[width]}({', '.join(x.glsl for x in parts)})",
            lambda s: [c for v in [x.run(s) for x in parts] for c in (v if isinstance(v, list) else [v])],
        )

    def condition(self, scope: Scope) -> Node:
        """A comparison."""
        x, y = self.leaf(scope, 1), self.leaf(scope, 1)
        return Node(f"({x.glsl} < {y.glsl})", lambda s: x.run(s) < y.run(s))
