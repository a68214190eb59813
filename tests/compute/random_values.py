"""Random expressions of compute shaders, printed as GLSL.

Whole numbers wrap around. Floats stay exact, so that no compiler may round otherwise: variables hold quarters below 32,
and an expression of sums and products is made only if all its values fit into 24 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

TAME = """
float tame(float exact) {
    return float((int(exact * 4.0) & 255) - 128) * 0.25;
}
"""
"""Brings an exact float back into the range of variables, and zeros to the positive one: their signs are not exact."""
HIGH = """
int ones(uint of) { highp int found = bitCount(of); return found; }
int highest(int of) { highp int found = findMSB(of); return found; }
int lowest(int of) { highp int found = findLSB(of); return found; }
"""
"""Functions whose results have low precision, which expressions made of them would inherit."""


class Float(NamedTuple):
    """An expression, the largest value that it may have, and the bits after the point."""

    text: str
    most: float = 32.0
    bits: int = 2

    def fits(self) -> bool:
        """Whether every value is exact."""
        return self.most * (1 << self.bits) <= 1 << 24


class Values:
    """Makes expressions of what a shader can read at some place.

    Parameters
    ----------
    random
        Where choices come from.

    Attributes
    ----------
    uints, ints, floats
        Functions that print something to read of that type, such as the name of a variable.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.uints: list[Callable[[], str]] = []
        self.ints: list[Callable[[], str]] = []
        self.floats: list[Callable[[], str]] = []

    def chance(self, share: float) -> bool:
        """True as often as that."""
        return self.random.random() < share

    def unsigned(self, depth: int = 2) -> str:
        """A whole number without sign."""
        r = self.random
        if depth <= 0 or self.chance(0.2):
            return r.choice(self.uints)() if self.chance(0.75) else f"{r.choice((0, 1, 2, 7, 255, r.getrandbits(32)))}u"
        one, other = self.unsigned(depth - 1), self.unsigned(depth - 1)
        return r.choice(
            (
                f"({one} {r.choice('+-*&|^')} {other})",
                f"({one} {r.choice(('<<', '>>'))} {r.randrange(32)}u)",
                f"({one} {r.choice('/%')} {r.choice((1, 3, 10, 1000))}u)",
                f"{r.choice(('min', 'max'))}({one}, {other})",
                f"({self.truth(depth - 1)} ? {one} : {other})",
                f"uint({self.signed(depth - 1)})",
                f"(~{one})",
                f"bitfieldExtract({one}, {r.randrange(16)}, {r.randrange(1, 17)})",
                f"bitfieldInsert({one}, {other}, {r.randrange(16)}, {r.randrange(1, 17)})",
                f"bitfieldReverse({one})",
                f"uint(ones({one}))",
                f"uvec3({one}, {other}, 5u).{r.choice('xyz')}",
                f"floatBitsToUint(tame({self.exact(depth - 1).text}))",
            )
        )

    def signed(self, depth: int = 2) -> str:
        """A whole number."""
        r = self.random
        if depth <= 0 or self.chance(0.2):
            return r.choice(self.ints)() if self.chance(0.75) else f"({r.choice((0, 1, 3, -1, -100, 1 << 20))})"
        one, other = self.signed(depth - 1), self.signed(depth - 1)
        return r.choice(
            (
                f"({one} {r.choice('+-*&|^')} {other})",
                f"({one} {r.choice(('<<', '>>'))} {r.randrange(32)})",
                f"{r.choice(('min', 'max'))}({one}, {other})",
                f"({self.truth(depth - 1)} ? {one} : {other})",
                f"int({self.unsigned(depth - 1)})",
                f"int({self.exact(depth - 1).text} * 4.0)",
                f"highest({one})",
                f"lowest({one})",
                f"(-{one})",
                f"ivec2({one}, {other}).yx.x",
            )
        )

    def exact(self, depth: int = 2) -> Float:
        """An exact float."""
        r = self.random
        if depth <= 0 or self.chance(0.2):
            if self.chance(0.7):
                return Float(r.choice(self.floats)())
            return r.choice((Float("0.5", 0.5, 1), Float("3.0", 3, 0), Float("(-1.0)", 1, 0), Float("0.25", 0.25, 2)))
        one, other = self.exact(depth - 1), self.exact(depth - 1)
        bits = max(one.bits, other.bits)
        made = r.choice(
            (
                Float(f"({one.text} {r.choice('+-')} {other.text})", one.most + other.most, bits),
                Float(f"({one.text} * {other.text})", one.most * other.most, one.bits + other.bits),
                Float(f"{r.choice(('min', 'max'))}({one.text}, {other.text})", max(one.most, other.most), bits),
                Float(f"({self.truth(depth - 1)} ? {one.text} : {other.text})", max(one.most, other.most), bits),
                Float(f"abs({one.text})", one.most, one.bits),
                Float(f"floor({one.text})", one.most + 1, 0),
                Float(f"float({self.signed(depth - 1)} & 63)", 63, 0),
                Float(
                    f"dot(vec2({one.text}, {other.text}), vec2({other.text}, 2.0))",
                    (one.most + 2) * other.most,
                    one.bits + other.bits,
                ),
            )
        )
        return made if made.fits() else Float(f"tame({one.text})")

    def truth(self, depth: int = 1) -> str:
        """A condition."""
        r = self.random
        compared = r.choice(("<", ">", "<=", ">=", "==", "!="))
        kind = r.randrange(4)
        if kind == 0:
            return f"({self.unsigned(depth)} {compared} {self.unsigned(depth)})"
        if kind == 1:
            return f"({self.signed(depth)} {compared} {self.signed(depth)})"
        if kind == 2:
            return f"({self.exact(depth).text} {compared} {self.exact(depth).text})"
        odd = f"(({self.unsigned(depth)} & 1u) == 0u)"
        return odd if depth <= 0 else f"({odd} {r.choice(('&&', '||', '^^'))} {self.truth(depth - 1)})"
