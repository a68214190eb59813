"""Textures whose texels only colours depend on."""

import pytest

from tilegpu.functional.glsl.ir import parse_shader
from tilegpu.functional.glsl.ir.unread import without_colors

HEAD = """FRAGMENT 'f'
DCL IN[0] varying 0 smooth place
DCL OUT[0] color 0 smooth o
DCL OUT[1] depth 0 smooth d
DCL SAMP[0] 2d a
DCL SAMP[1] 2d b
DCL TEMP 3
"""
BODIES = {
    "both are colours": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "TEX TEMP[1], IN[0], SAMP[1], 2d",
                          "MUL OUT[0], TEMP[0], TEMP[1]"], {0, 1}),
    "one has the coordinates of the other": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "TEX OUT[0], TEMP[0], SAMP[1], 2d"],
                                             {1}),
    "a register is used again": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "MOV OUT[0], TEMP[0]", "MOV TEMP[0], IN[0]",
                                  "KILL_IF TEMP[0].xxxx", "TEX OUT[0], IN[0], SAMP[1], 2d"], {0, 1}),
    "one decides": (["TEX TEMP[0].xyz, IN[0], SAMP[0], 2d", "ADD TEMP[1].x, TEMP[0].yyyy, IN[0].xxxx",
                     "KILL_IF TEMP[1].xxxx", "TEX OUT[0], IN[0], SAMP[1], 2d"], {1}),
    "one is the depth": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "MOV OUT[0], TEMP[0]", "TEX TEMP[1], IN[0], SAMP[1], 2d",
                          "MOV OUT[1].z, TEMP[1].xxxx"], {0}),
    "a branch keeps what was there": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "UIF IN[0].xxxx, :4", "MOV TEMP[0], IN[0]",
                                       "ENDIF", "KILL_IF TEMP[0].xxxx", "TEX OUT[0], IN[0], SAMP[1], 2d"], {1}),
    "around a loop": (["BGNLOOP :5", "UIF TEMP[2].xxxx, :4", "BRK :6", "ENDIF", "MOV TEMP[2], TEMP[1]",
                       "TEX TEMP[1], IN[0], SAMP[0], 2d", "ENDLOOP :1", "TEX OUT[0], IN[0], SAMP[1], 2d"], {1}),
    "a given level": (["TXL TEMP[0], IN[0], SAMP[0], 2d", "TEX TEMP[1], IN[0], SAMP[1], 2d",
                       "ADD OUT[0], TEMP[0], TEMP[1]"], {0, 1}),
    "a size": (["TEX OUT[0], IN[0], SAMP[0], 2d", "TXQ TEMP[0], IN[0].xxxx, SAMP[0], 2d", "KILL_IF TEMP[0].xxxx"], {0}),
    "within a branch": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "UIF IN[0].xxxx, :5", "MOV TEMP[1], IN[0]",
                         "KILL_IF TEMP[1].xxxx", "TEX TEMP[1], IN[0], SAMP[0], 2d", "ENDIF",
                         "TEX OUT[0], IN[0], SAMP[1], 2d"], {0, 1}),
    "both halves": (["TEX TEMP[0], IN[0], SAMP[0], 2d", "UIF IN[0].xxxx, :4", "MOV TEMP[0], IN[0]", "ELSE :5",
                     "MOV TEMP[0], IN[0].yyyy", "ENDIF", "KILL_IF TEMP[0].xxxx"], {0}),
    "until a break": (["BGNLOOP :5", "TEX TEMP[0], IN[0], SAMP[0], 2d", "MOV TEMP[0], IN[0]", "BRK :6",
                       "TEX TEMP[0], IN[0], SAMP[1], 2d", "ENDLOOP :1", "KILL_IF TEMP[0].xxxx"], {0, 1}),
    "read twice, needed once": (["TEX OUT[0], IN[0], SAMP[0], 2d", "TEX TEMP[0], IN[0].yxxx, SAMP[0], 2d",
                                 "KILL_IF TEMP[0].xxxx"], set()),
}  # fmt: skip


def found(body: list[str], detailed: frozenset[int]) -> frozenset[int]:
    lines = [f"  {pc}: {line}" for pc, line in enumerate([*body, "END"])]
    return without_colors(parse_shader(HEAD + "\n".join(lines) + "\n"), detailed).unread


@pytest.mark.parametrize("name", BODIES)
def test_unread(name: str) -> None:
    body, expected = BODIES[name]
    assert found(body, frozenset({0, 1})) == expected


@pytest.mark.parametrize(("opcode", "detailed", "expected"), [
    ("TEX", {0, 1}, {1}), ("TEX", {0}, {0, 1}), ("TXL", {0, 1}, {0, 1}),
])  # fmt: skip
def test_level_of_detail_in_a_branch(opcode: str, detailed: set[int], expected: set[int]) -> None:
    # Lanes that are not in the branch keep texels in the register, which count for the level of detail.
    body = ["TEX TEMP[0], IN[0], SAMP[0], 2d", "UIF IN[0].xxxx, :4", "MOV TEMP[0], IN[0]",
            f"{opcode} OUT[0], TEMP[0], SAMP[1], 2d", "ENDIF"]  # fmt: skip
    assert found(body, frozenset(detailed)) == expected


def test_derivative_in_a_branch() -> None:
    body = ["TEX TEMP[0], IN[0], SAMP[0], 2d", "UIF IN[0].xxxx, :6", "MOV TEMP[0], IN[0]", "DDX TEMP[1], TEMP[0]",
            "KILL_IF TEMP[1].xxxx", "ENDIF"]  # fmt: skip
    assert found(body, frozenset()) == set()


def test_what_is_executed() -> None:
    body = ["MUL TEMP[0], IN[0], IN[0].wwww", "TEX TEMP[1], TEMP[0], SAMP[0], 2d",
            "POW TEMP[1], TEMP[1].xxxx, IN[0].yyyy", "UIF IN[0].xxxx, :6",
            "ADD TEMP[2], IN[0], TEMP[1]", "MOV OUT[1].z, IN[0].xxxx", "ENDIF",
            "MUL OUT[0], TEMP[1], TEMP[2]", "END"]  # fmt: skip
    text = "\n".join(f"  {pc}: {line}" for pc, line in enumerate(body))
    assert without_colors(parse_shader(f"{HEAD}{text}\n"), frozenset()).executed == {0, 1, 3, 5, 6, 8}
