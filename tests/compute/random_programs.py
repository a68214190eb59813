"""Random compute programs, each from a number alone, whose results do not depend on the order of invocations or on how
a compiler rounds."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial

import numpy as np

from . import random_blocks as blocks
from . import random_images as images
from .program import FORMATS, Image, Pass, Program
from .random_sources import helping, whole
from .random_statements import ATOMICS, Statements
from .random_values import Values

SHAPES = ((64, 1), (32, 1), (8, 8), (4, 4), (16, 2), (4, 1), (128, 1))
"""Local sizes; all have a power of two of invocations."""
ITEM_BYTES = 1344
"""Room per invocation in the buffer of items: seven members of 2x2 matrices of three columns."""
READ_AND_WRITTEN = ("r32f", "r32i", "r32ui")
"""Formats that a shader may both load from and store to."""


class Maker:
    """Makes one program.

    Parameters
    ----------
    seed
        The number that it follows from.
    leaves
        Whether invocations leave loops from the middle and at the end, after loads from memory.
    """

    def __init__(self, seed: int, leaves: bool) -> None:
        self.random, self.leaves = random.Random(seed), leaves
        self.values, self.uniform = Values(self.random), Values(self.random)
        self.indices, self.alike = Values(self.random), Values(self.random)
        self.local = self.random.choice(SHAPES)
        self.groups = (self.random.randint(1, 2), self.random.randint(1, 2), 1)
        self.head, self.start = "", ""
        self.targets: list[Callable[[], str]] = []
        self.images: list[Image] = []

    @property
    def lanes(self) -> int:
        """Invocations of a group."""
        return self.local[0] * self.local[1]

    def program(self) -> Program:
        """The program."""
        self._variables()
        self._given()
        self._items()
        self._images()
        self._function()
        counters = [f"counter[{number}]" for number in range(len(ATOMICS))]
        plain = None if self.leaves else self.indices
        statements = Statements(self.values, self.uniform, self.targets, counters, self.lanes, plain)
        body = "".join(statements.block(3, True) for _ in range(2))
        source = whole(self.local, self.groups, self.head, self.start, body)
        return self._with_data(source)

    def _variables(self) -> None:
        r, values = self.random, self.values
        names = {"uint": ("u0", "u1", "u2"), "int": ("i0", "i1"), "float": ("f0", "f1")}
        for kind, readers in (("uint", values.uints), ("int", values.ints), ("float", values.floats)):
            for name in names[kind]:
                readers.append(partial(str, name))
        values.uints += [lambda: "lane", lambda: "me", lambda: f"w0[{self.indices.unsigned(0)} & 3u]"]
        values.floats += [lambda: f"v0.{r.choice('xyz')}"]
        self.indices.uints += [lambda: "lane", lambda: "me", lambda: "u0", lambda: "u1"]
        self.indices.ints, self.indices.floats = [lambda: "i0"], [lambda: "f0"]
        self.alike.uints, self.alike.ints, self.alike.floats = (
            [lambda: "gl_WorkGroupID.x"],
            [lambda: "1"],
            [lambda: "1.5"],
        )
        self.uniform.uints += [lambda: f"gl_WorkGroupID.{r.choice('xy')}", lambda: "gl_NumWorkGroups.x"]
        self.uniform.ints, self.uniform.floats = [lambda: "3"], [lambda: "2.0"]
        self.targets += [
            lambda: f"{r.choice(names['uint'])} {r.choice(('', '+', '^', '-', '*'))}= {values.unsigned()};\n",
            lambda: f"{r.choice(names['int'])} {r.choice(('', '+', '^'))}= {values.signed()};\n",
            lambda: f"{r.choice(names['float'])} = tame({values.exact().text});\n",
            lambda: f"w0{r.choice(('.xz', '.yw', '.wx'))} = uvec2({values.unsigned(1)}, {values.unsigned(1)});\n",
            lambda: f"w0[{self.indices.unsigned(0)} & 3u] = {values.unsigned(1)};\n",
            lambda: f"v0.{r.choice(('xy', 'zx'))} = tame3(vec3({values.exact(1).text}, f0, f1)).yx;\n",
        ]

    def _given(self) -> None:
        """Blocks that are only read: whole numbers, floats, and uniforms."""
        r = self.random
        for binding, name, kinds in ((1, "Ints", blocks.WHOLE), (2, "Floats", blocks.FLOATS)):
            inner = blocks.members(r, kinds, r.randint(1, 3), "m")
            outer = blocks.members(r, kinds, r.randint(1, 4), name.lower(), binding == 2)
            struct = f"struct Of{name} {{\n{''.join(m.declared() for m in inner)}}};\n"
            rest = "uint" if binding == 1 else r.choice(("float", "vec3", "mat3"))
            pair = r.choice(("", "layout(row_major) ")) if binding == 2 else ""
            listed = "".join(m.declared() for m in outer) + f"    {pair}Of{name} pair{binding}[3];\n"
            self.head += (
                f"{struct}layout(std430, binding = {binding}) readonly buffer {name} {{\n"
                f"{listed}    {rest} rest{binding}[];\n}};\n"
            )
            for member in outer:
                blocks.readable(self.values, self.indices, member, member.name)
            for member in inner:
                nested = blocks.Member("", member.kind, member.name, member.lengths)
                text = f"pair{binding}[{r.randrange(3)}].{member.name}"
                blocks.readable(self.values, self.indices, nested, text)
            self.start += f"    uint many{binding} = uint(rest{binding}.length());\n"
            readers = self.values.uints if binding == 1 else self.values.floats
            readers.append(partial(self._rest, binding, rest))
        uniforms = blocks.members(r, ("uint", "int", "uvec3", "ivec2", "uvec4"), 4, "given")
        self.head += f"layout(std140, binding = 0) uniform Given {{\n{''.join(m.declared() for m in uniforms)}}};\n"
        for member in uniforms:
            blocks.readable(self.uniform, self.alike, member, member.name)
            blocks.readable(self.values, self.indices, member, member.name)

    def _rest(self, binding: int, kind: str) -> str:
        """An element of the array at the end of a block."""
        at = f"{self.indices.unsigned(0)} % many{binding}"
        return blocks.scalar(self.indices, f"rest{binding}[{at}]", kind)

    def _items(self) -> None:
        """A struct per invocation, in an array whose length the buffer's size says."""
        r = self.random
        inner, outer = (
            blocks.members(r, blocks.STORED, r.randint(1, most), name) for name, most in (("s", 2), ("t", 3))
        )
        self.head += f"struct Inner {{\n{''.join(m.declared() for m in inner)}}};\n"
        self.head += f"struct Item {{\n{''.join(m.declared() for m in outer)}    Inner inner[2];\n}};\n"
        self.head += "layout(std430, binding = 0) buffer Items {\n    uint length;\n    Item item[];\n};\n"
        self.start += "    if (me == 0u) length = uint(item.length());\n"
        places = [(member, f"item[me].{member.name}") for member in outer]
        places += [(member, f"item[me].inner[{number}].{member.name}") for member in inner for number in range(2)]
        for member, text in places:
            blocks.readable(self.values, self.indices, member, text)
            self.targets.append(partial(self._stored, member, text))

    def _stored(self, member: blocks.Member, text: str) -> str:
        place = blocks.scalar(self.indices, blocks.indexed(self.indices, text, member.lengths), member.kind)
        kind = blocks.base(member.kind)
        value = {
            "uint": lambda: self.values.unsigned(1),
            "int": lambda: self.values.signed(1),
            "float": lambda: f"tame({self.values.exact(1).text})",
        }[kind]()
        return f"{place} = {value};\n"

    def _images(self) -> None:
        r, values = self.random, self.values
        width, height = self.groups[0] * self.local[0], self.groups[1] * self.local[1]
        for unit, name in enumerate(r.sample(sorted(FORMATS), 3)):
            self.images.append(images.image(r, name, width, height))
            both = name in READ_AND_WRITTEN
            read = both or r.random() < 0.5
            self.head += images.declared(name, unit, "" if both else "readonly " if read else "writeonly ")
            if read:
                any_at = f"ivec2({{}} % {width}u, {{}} % {height}u)"
                kind = images.component(name, unit, "here", "x")[0]
                readers = {"uint": values.uints, "int": values.ints, "float": values.floats}[kind]
                readers.append(partial(self._loaded, name, unit, both, any_at))
            if both or not read:
                self.targets.append(partial(images.store, values, name, unit, "here"))

    def _loaded(self, name: str, unit: int, own: bool, place: str) -> str:
        at = "here" if own else place.format(self.indices.unsigned(0), self.indices.unsigned(0))
        which = self.random.choice("xyzw"[: FORMATS[name].components])
        return images.component(name, unit, at, which)[1]

    def _function(self) -> None:
        """A function that returns from several places."""
        inside = Values(self.random)
        inside.uints, inside.ints, inside.floats = [lambda: "a", lambda: "b"], [lambda: "c"], [lambda: "float(c & 15)"]
        self.head += helping(inside)
        values = self.values
        self.targets.append(lambda: f"u2 = helped({values.unsigned(1)}, {values.unsigned(0)}, i1);\n")

    def _with_data(self, source: str) -> Program:
        generator = np.random.default_rng(self.random.getrandbits(32))
        invocations = self.groups[0] * self.groups[1] * self.lanes
        texels = 16 * invocations * len(self.images)
        items = bytes(16 + ITEM_BYTES * invocations)
        ints = generator.integers(0, 256, 4096, np.uint8).tobytes()
        floats = (generator.integers(-128, 128, 1024) * 0.25).astype("<f4").tobytes()
        counters = generator.integers(0, 256, 4 * len(ATOMICS), np.uint8).tobytes()
        uniforms = generator.integers(0, 256, 1024, np.uint8).tobytes()
        width, height = self.groups[0] * self.local[0], self.groups[1] * self.local[1]
        passes = (
            Pass(source, self.groups, (0, 1, 2, 3)),
            Pass(images.reader(self.images), (width, height, 1), (4,)),
        )
        return Program(passes, (items, ints, floats, counters, bytes(texels)), uniforms, tuple(self.images))


def random_program(seed: int, leaves: bool = True) -> Program:
    """The program of a number.

    Invocations of a group may leave a loop at different times, from anywhere, after they have loaded something that is
    used behind the loop. llvmpipe 22.3 has lost it then: it is zero but for the invocations that leave last. Without
    ``leaves`` there is no such program.
    """
    return Maker(seed, leaves).program()


if __name__ == "__main__":
    print(random_program(int(sys.argv[1])).passes[0].source)
