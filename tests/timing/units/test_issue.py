"""How long instructions occupy a processor: by components, and packed into words by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tilegpu.timing.loading.issue.times import components, pairs, spread, words

Row = dict[str, Any]


def row(opcode: str, target: int, *sources: tuple[str, int], mask: int = 15, kind: str = "alu") -> Row:
    return {
        "opcode": opcode,
        "class": kind,
        "destination_file": "TEMP",
        "destination_index": target,
        "write_mask": mask,
        "sources": [{"file": file, "index": index, "swizzle": "xyzw"} for file, index in sources],
    }


def temp(index: int) -> tuple[str, int]:
    return "TEMP", index


VARYING, OTHER_VARYING, UNIFORM = ("IN", 0), ("IN", 1), ("CONST", 0)


@pytest.mark.parametrize(
    ("opcode", "mask", "kind", "expected"),
    [
        ("MOV", 15, "alu", 4),
        ("MAD", 7, "alu", 3),
        ("ADD", 2, "alu", 1),
        ("DP3", 1, "alu", 3),
        ("DP4", 8, "alu", 4),
        ("LRP", 3, "alu", 4),
        ("RSQ", 15, "sfu", 1),
        ("TEX", 15, "tex", 1),
        ("END", 0, "flow", 1),
    ],
)
def test_components(opcode: str, mask: int, kind: str, expected: int) -> None:
    assert components(row(opcode, 0, mask=mask, kind=kind)) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Four products have one unit.
        ([row("MUL", 1, VARYING)], 4),
        # Four sums have both, and so have sums beside products.
        ([row("ADD", 1, VARYING)], 2),
        ([row("MAD", 1, VARYING), row("ADD", 2, temp(1))], 4),
        # A texture operation goes with a product.
        ([row("TEX", 0, VARYING, kind="tex"), row("MUL", 1, temp(0), mask=1)], 1),
        ([row("RCP", 0, VARYING, kind="sfu"), row("RSQ", 1, VARYING, kind="sfu")], 2),
        # Three products and one sum: the product's unit has three.
        ([row("DP3", 1, VARYING, VARYING, mask=1), row("ADD", 2, temp(1), mask=1)], 3),
        ([row("END", 0, mask=0, kind="flow")], 1),
    ],
)
def test_pairs(rows: list[Row], expected: int) -> None:
    assert pairs(rows) == expected


def test_instructions_share_the_time_of_their_block() -> None:
    assert spread(8, 3) == [2, 3, 3]
    assert spread(4, 4) == [1, 1, 1, 1]
    assert spread(1, 3) == [1, 1, 1]


TEXEL = row("TEX", 0, VARYING, kind="tex")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # A texel, times a uniform, plus it: one pass through the units.
        ([TEXEL, row("MUL", 1, temp(0), UNIFORM), row("ADD", 2, temp(1), temp(0))], 1),
        # Coordinates that are computed are there for the texture unit of the next word only.
        ([row("ADD", 1, VARYING, UNIFORM), row("TEX", 0, temp(1), kind="tex")], 2),
        # Two texels: two words.
        ([TEXEL, row("TEX", 1, VARYING, kind="tex")], 2),
        # A vector and a scalar product side by side, a second vector product not.
        ([row("MUL", 1, VARYING), row("MUL", 2, VARYING, mask=1)], 1),
        ([row("MUL", 1, VARYING), row("MUL", 2, VARYING)], 2),
        # A sum before a product takes a second word, a product before a sum does not.
        ([row("ADD", 1, VARYING, UNIFORM), row("MUL", 2, temp(1))], 2),
        ([row("MUL", 1, VARYING, UNIFORM), row("ADD", 2, temp(1))], 1),
        # A multiply-add has both units.
        ([row("MAD", 1, VARYING, UNIFORM, UNIFORM), row("ADD", 2, VARYING)], 2),
        # One varying per word.
        ([row("MUL", 1, VARYING), row("ADD", 2, OTHER_VARYING)], 2),
        # What needs two of them has a word's loads to itself.
        ([row("MUL", 1, VARYING, OTHER_VARYING)], 1),
        # The combiner comes after the sums.
        ([row("DP3", 1, VARYING, VARYING, mask=1), row("RSQ", 2, temp(1), mask=1, kind="sfu")], 1),
        ([row("RSQ", 1, VARYING, mask=1, kind="sfu"), row("MUL", 2, temp(1))], 2),
        # Coordinates from a register pass the unit that loads varyings, which is then taken.
        ([row("ADD", 1, UNIFORM), row("TEX", 0, temp(1), kind="tex"), row("MUL", 2, VARYING, mask=1)], 2),
        ([row("ADD", 1, VARYING, UNIFORM), row("TEX", 0, temp(1), kind="tex"), row("ADD", 2, OTHER_VARYING)], 3),
        # What nobody waits for fills gaps of words before.
        ([row("RSQ", 1, VARYING, kind="sfu"), row("MUL", 2, temp(1)), row("MUL", 3, VARYING)], 2),
        ([row("END", 0, mask=0, kind="flow")], 1),
    ],
)
def test_words(rows: list[Row], expected: int) -> None:
    assert words(rows) == expected
