"""Random declarations of storage and uniform blocks, each from a number alone."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random

KINDS = (
    *("float", "int", "uint", "bool", "vec2", "vec3", "vec4", "ivec2", "ivec3", "uvec4", "uvec3", "bvec2", "bvec3"),
    *("mat2", "mat3", "mat4", "mat2x3", "mat2x4", "mat3x2", "mat3x4", "mat4x2", "mat4x3"),
)


@dataclass(frozen=True)
class Struct:
    """A structure."""

    name: str
    fields: tuple[Field, ...]

    def declared(self) -> str:
        """As GLSL."""
        return f"struct {self.name} {{\n{''.join(field.declared() for field in self.fields)}}};\n"


@dataclass(frozen=True)
class Field:
    """A member of a structure or block: name, type, lengths of arrays (0 for the one that the buffer's size says), and
    whether matrices are stored by rows, if it says so itself."""

    name: str
    kind: str | Struct
    lengths: tuple[int, ...] = ()
    by_rows: bool | None = None

    def declared(self) -> str:
        """As GLSL."""
        order = {None: "", True: "layout(row_major) ", False: "layout(column_major) "}[self.by_rows]
        kind = self.kind if isinstance(self.kind, str) else self.kind.name
        return f"    {order}{kind} {self.name}{''.join(f'[{n or str()}]' for n in self.lengths)};\n"


@dataclass(frozen=True)
class Block:
    """A block: its storage ("buffer" or "uniform"), packing, names, default order of matrices, and members."""

    storage: str
    packing: str
    name: str
    instance: str
    by_rows: bool
    fields: tuple[Field, ...]

    def declared(self) -> str:
        """As GLSL."""
        order = "row_major" if self.by_rows else "column_major"
        head = f"layout({self.packing}, {order}, binding = 0) {self.storage} {self.name} {{\n"
        return f"{head}{''.join(field.declared() for field in self.fields)}}} {self.instance};\n"


@dataclass(frozen=True)
class Layouts:
    """A compute shader with a storage block and a uniform block."""

    structs: tuple[Struct, ...]
    blocks: tuple[Block, Block]

    def source(self) -> str:
        """The whole shader, which uses both blocks."""
        declared = "".join([one.declared() for one in self.structs] + [one.declared() for one in self.blocks])
        to, of = ((f"{one.instance}." if one.instance else "") + one.fields[0].name for one in self.blocks)
        main = f"void main() {{ {to} = {of}; }}\n"
        head = "#version 310 es\nprecision highp float;\nprecision highp int;\nlayout(local_size_x = 1) in;\n"
        return head + declared + main


def _lengths(random: Random) -> tuple[int, ...]:
    return random.choice(((), (), (), (random.randint(1, 4),), (random.randint(1, 3), 2), (2, 1, 2)))


def _fields(random: Random, structs: list[Struct], count: int, prefix: str, ordered: bool) -> tuple[Field, ...]:
    fields = []
    for number in range(count):
        nested = structs and random.random() < 0.35
        kind = random.choice(structs) if nested else random.choice(KINDS)
        by_rows = random.choice((None, None, True, False)) if ordered else None
        fields.append(Field(f"{prefix}{number}", kind, _lengths(random), by_rows))
    return tuple(fields)


def _block(random: Random, storage: str, structs: list[Struct]) -> Block:
    packing = random.choice(("std140", "std430")) if storage == "buffer" else "std140"
    first = Field(f"{storage}First", "uint")
    fields = (first, *_fields(random, structs, random.randint(1, 6), storage, True))
    if storage == "buffer" and random.random() < 0.7:
        (last,) = _fields(random, structs, 1, "rest", True)
        fields = (*fields, Field(last.name, last.kind, (0, *last.lengths), last.by_rows))
    instance = random.choice(("", f"{storage}Here"))
    return Block(storage, packing, storage.capitalize(), instance, random.random() < 0.4, fields)


def random_layouts(seed: int) -> Layouts:
    """The blocks of a number."""
    random, structs = Random(seed), list[Struct]()
    for number in range(random.randint(0, 3)):
        fields = _fields(random, structs, random.randint(1, 4), "m", False)
        structs.append(Struct(f"Struct{number}", fields))
    return Layouts(tuple(structs), (_block(random, "buffer", structs), _block(random, "uniform", structs)))


if __name__ == "__main__":
    print(random_layouts(int(sys.argv[1])).source())
