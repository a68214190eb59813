"""Bifrost's tuples: steps of every instruction are its operations, and dependences keep them apart."""

from __future__ import annotations

from typing import Any

import pytest

from tilegpu.functional.glsl.ir.opcodes import OPCODES
from tilegpu.timing.loading.operations import operations
from tilegpu.timing.loading.program_operations import program_operations
from tilegpu.timing.loading.tuple_steps import steps_of
from tilegpu.timing.loading.tuples import scheduled_tuples
from tilegpu.timing.loading.varyings import loads


def row(
    opcode: str, to: tuple[str, int], mask: int, *sources: tuple[str, int, str], half: bool = False
) -> dict[str, Any]:
    """Row of the table of instructions."""
    return {
        "stage": "compute",
        "opcode": opcode,
        "class": OPCODES[opcode].operation_class,
        "destination_file": to[0],
        "destination_index": to[1],
        "write_mask": mask,
        "sources": [{"file": file, "index": index, "swizzle": swizzle} for file, index, swizzle in sources],
        "half": half,
        "coord_origin": None,
    }


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("opcode", OPCODES)
@pytest.mark.parametrize(("mask", "swizzle"), [(1, "xxxx"), (7, "wwww"), (15, "xxyz")])
def test_steps_are_the_operations_of_an_instruction(opcode: str, mask: int, swizzle: str, half: bool) -> None:
    sources = [("TEMP", i, swizzle) for i in range(OPCODES[opcode].operands)]
    mine = row(opcode, ("TEMP", 9), mask, *sources, half=half)
    found = [step.unit for steps in steps_of(mine)[0] for step in steps]
    own = operations(mine)
    fma, add = own.product + own.choose + own.bits, own.convert + own.special + own.message
    assert [found.count(unit) for unit in range(3)] == [fma, add, own.sum + own.compare]


def tuples(*rows: dict[str, Any]) -> int:
    """Tuples of a block of a program that nothing follows."""
    return scheduled_tuples(rows, program_operations(list(rows), loads(list(rows))))


def test_dependent_operations_take_turns() -> None:
    def product(to: int, of: int) -> dict[str, Any]:
        return row("MUL", ("TEMP", to), 1, ("TEMP", of, "xxxx"), ("TEMP", of, "xxxx"))

    def least(to: int, of: int) -> dict[str, Any]:
        return row("MIN", ("TEMP", to), 1, ("TEMP", of, "xxxx"), ("TEMP", of, "xxxx"))

    # The FMA unit comes before the ADD unit of a tuple.
    assert tuples(product(1, 0), least(2, 1)) == 1
    assert tuples(least(1, 0), product(2, 1)) == 2
    # One unit has two operations; independent ones of both share a tuple.
    assert tuples(product(1, 0), product(2, 0)) == 2
    assert tuples(least(1, 0), product(2, 0)) == 1
    # Components are apart: one of a vector does not wait for the other's chain.
    vector = row("MIN", ("TEMP", 1), 3, ("TEMP", 0, "xyyy"), ("TEMP", 0, "xyyy"))
    assert tuples(vector, row("MUL", ("TEMP", 2), 1, ("TEMP", 1, "xxxx"), ("TEMP", 1, "xxxx"))) == 2


def test_copies_pass_on_what_they_copy() -> None:
    made = row("MIN", ("TEMP", 1), 1, ("TEMP", 0, "xxxx"), ("TEMP", 0, "xxxx"))
    copied = row("MOV", ("TEMP", 2), 2, ("TEMP", 1, "xxxx"))
    used = row("MUL", ("TEMP", 3), 1, ("TEMP", 2, "yyyy"), ("TEMP", 2, "yyyy"))
    assert tuples(made, copied, used) == 2


def test_a_fraction_of_products_is_a_chain() -> None:
    scaled = row("MUL", ("TEMP", 1), 1, ("TEMP", 0, "xxxx"), ("IMM", 0, "xxxx"))
    fraction = row("FRC", ("TEMP", 2), 1, ("TEMP", 1, "xxxx"))
    again = row("MUL", ("TEMP", 3), 1, ("TEMP", 2, "xxxx"), ("TEMP", 2, "xxxx"))
    # The product beside the rounding, the difference by itself, the next product.
    assert tuples(scaled, fraction, again) == 3
