"""Which instructions 16-bit floats are precise enough for: by the language's rules, case by case."""

from collections.abc import Mapping

import pytest

from .helpers import program_of

HIGH = {"fine": "vec4"}


def halves(body: str, varyings: Mapping[str, str] | None = None) -> dict[str, set[bool]]:
    """Whether instructions of a fragment shader are half, by opcode."""
    declared = "precision mediump float; varying mediump vec4 coarse; varying highp vec4 fine;" + body
    found: dict[str, set[bool]] = {}
    for instruction in program_of(declared, varyings or {"coarse": "vec4", "fine": "vec4"}).fragment.instructions:
        found.setdefault(instruction.opcode, set()).add(instruction.half)
    return found


@pytest.mark.parametrize(
    ("body", "opcode", "expected"),
    [
        ("void main() { gl_FragColor = coarse * coarse.w; }", "MUL", {True}),
        # One operand of 32 bits is enough, whatever the variable that it goes to.
        ("void main() { mediump vec4 sum = coarse + fine; gl_FragColor = sum; }", "ADD", {False}),
        # Constants have no precision.
        ("void main() { gl_FragColor = max(coarse, 0.25); }", "MAX", {True}),
        ("void main() { gl_FragColor = max(fine, 0.25); }", "MAX", {False}),
        ("uniform vec4 u; void main() { gl_FragColor = coarse + u; }", "ADD", {True}),
        ("uniform highp vec4 u; void main() { gl_FragColor = coarse + u; }", "ADD", {False}),
        # A texel has its sampler's precision, lowp by default, not its coordinates'.
        ("uniform sampler2D s; void main() { gl_FragColor = texture2D(s, fine.xy) + coarse; }", "ADD", {True}),
        ("uniform highp sampler2D s; void main() { gl_FragColor = texture2D(s, coarse.xy) + coarse; }", "ADD", {False}),
        # A condition does not count for what is chosen by it.
        ("void main() { gl_FragColor = (fine.x < 0.5 ? coarse : coarse.wzyx) * coarse; }", "MUL", {True}),
        ("void main() { gl_FragColor = (coarse.x < 0.5 ? coarse : fine) * coarse; }", "MUL", {False}),
        # Integers have 32 bits.
        ("uniform int i; void main() { gl_FragColor = coarse * float(i + 3); }", "UADD", {False}),
        # What a loop adds up is as precise as the most precise of all iterations.
        (
            "uniform int n; void main() { vec4 a = coarse; for (int i = 0; i < 9; i++) { if (i > n) break;"
            " a = a * coarse; } gl_FragColor = a; }",
            "MUL",
            {True},
        ),
        (
            "uniform int n; void main() { vec4 a = coarse, b = coarse; for (int i = 0; i < 99; i++) { if (i > n) break;"
            " a = a * b; b = min(b, fine); } gl_FragColor = a; }",
            "MUL",
            {False},
        ),
    ],
)
def test_precision_of_operations(body: str, opcode: str, expected: set[bool]) -> None:
    assert halves(body)[opcode] == expected
