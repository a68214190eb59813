"""Random storage and uniform blocks of compute programs, and access to their members."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .random_values import Values

WHOLE = ("uint", "int", "uvec2", "uvec3", "uvec4", "ivec2", "ivec3", "ivec4", "bool", "bvec3")
FLOATS = ("float", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4", "mat2x3", "mat3x2", "mat4x3")
STORED = tuple(kind for kind in (*WHOLE, *FLOATS) if not kind.startswith("b") and kind not in ("mat4", "mat4x3"))
"""Types of what programs write; true has no number of its own."""


@dataclass(frozen=True)
class Member:
    """A member: its qualifiers, type, name and lengths of arrays."""

    qualifiers: str
    kind: str
    name: str
    lengths: tuple[int, ...] = ()

    def declared(self) -> str:
        """As GLSL."""
        return f"    {self.qualifiers}{self.kind} {self.name}{''.join(f'[{n}]' for n in self.lengths)};\n"


def base(kind: str) -> str:
    """Type of a scalar within: "uint", "int", "float" or "bool"."""
    short = {"u": "uint", "i": "int", "b": "bool"}
    return short.get(kind[0], "float") if kind != "float" else "float"


def sides(kind: str) -> tuple[int, int]:
    """Columns and rows of a type; one column for vectors, one of each for scalars."""
    if kind.startswith("mat"):
        digits = kind[3:]
        return int(digits[0]), int(digits[-1])
    return 1, int(kind[-1]) if kind[-1].isdigit() else 1


def members(random: Random, kinds: tuple[str, ...], count: int, prefix: str, matrices: bool = False) -> list[Member]:
    """Random members; with matrices, some are stored by rows."""
    out = []
    for number in range(count):
        kind = random.choice(kinds)
        lengths = random.choice(((), (), (random.randint(1, 3),), (random.randint(1, 2), 2)))
        row = matrices and kind.startswith("mat") and random.random() < 0.5
        out.append(Member("layout(row_major) " if row else "", kind, f"{prefix}{number}", lengths))
    return out


def indexed(values: Values, text: str, lengths: tuple[int, ...]) -> str:
    """An element of arrays, by constants or by expressions."""
    for length in lengths:
        fixed = values.chance(0.5)
        at = str(values.random.randrange(length)) if fixed else f"{values.unsigned(1)} % {length}u"
        text += f"[{at}]"
    return text


def scalar(values: Values, text: str, kind: str) -> str:
    """A component of a scalar, vector or matrix."""
    columns, rows = sides(kind)
    if columns > 1:
        text = indexed(values, text, (columns,))
    if rows > 1:
        text = (
            f"{text}.{'xyzw'[values.random.randrange(rows)]}" if values.chance(0.5) else indexed(values, text, (rows,))
        )
    return text


def readable(values: Values, shallow: Values, member: Member, text: str) -> None:
    """Let expressions read a member's components; indices are made of `shallow`."""

    def read() -> str:
        return scalar(shallow, indexed(shallow, text, member.lengths), member.kind)

    kind = base(member.kind)
    if kind == "bool":
        values.uints.append(lambda: f"({read()} ? 3u : 8u)")
    else:
        {"uint": values.uints, "int": values.ints, "float": values.floats}[kind].append(read)
