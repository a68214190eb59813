"""Bifrost's tuples: steps of every instruction are its operations, and dependences keep them apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tilegpu.functional.glsl.ir.opcodes import OPCODES
from tilegpu.timing.loading.issue.operations import operations
from tilegpu.timing.loading.issue.program_operations import program_operations
from tilegpu.timing.loading.issue.tuple_steps import steps_of
from tilegpu.timing.loading.issue.tuples import scheduled_tuples
from tilegpu.timing.loading.issue.unified_issue import pipe_counts
from tilegpu.timing.loading.issue.varyings import loads, places_of


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


X, Y, Z = "xxxx", "yyyy", "zzzz"


@pytest.mark.parametrize(
    ("product", "least", "together"),
    [
        # Two words of a pair of uniforms, the same word twice; words of two pairs.
        (("CONST", 0, X), ("CONST", 0, Y), True),
        (("CONST", 0, X), ("CONST", 0, X), True),
        (("CONST", 0, X), ("CONST", 0, Z), False),
        (("CONST", 0, X), ("CONST", 1, X), False),
        # Two constants; a constant beside a uniform.
        (("IMM", 0, X), ("IMM", 1, Z), True),
        (("IMM", 0, X), ("CONST", 0, X), False),
        (("TEMP", 1, X), ("CONST", 0, X), True),
    ],
)
def test_a_tuple_reads_a_pair_of_uniforms_or_two_constants(
    product: tuple[str, int, str], least: tuple[str, int, str], together: bool
) -> None:
    first = row("MUL", ("TEMP", 2), 1, ("TEMP", 0, X), product)
    second = row("MIN", ("TEMP", 3), 1, ("TEMP", 0, X), least)
    assert tuples(first, second) == (1 if together else 2)


def test_what_does_not_fit_is_moved_once() -> None:
    def fused(to: int, of: int) -> dict[str, Any]:
        return row("MAD", ("TEMP", to), 1, ("TEMP", of, X), ("CONST", 0, X), ("CONST", 1, X))

    # A move, then a multiply-add that takes its result from the tuple before; the next one needs no move.
    assert tuples(fused(1, 0)) == 2
    assert tuples(fused(1, 0), fused(2, 1)) == 3
    # Three constants, of which two fit.
    assert tuples(row("MAD", ("TEMP", 1), 1, ("IMM", 0, X), ("IMM", 0, Y), ("IMM", 0, Z))) == 2
    # The products of a dot product read a word each.
    assert tuples(row("DP4", ("TEMP", 1), 1, ("TEMP", 0, "xyzw"), ("CONST", 0, "xyzw"))) == 4


def test_places_of_fragments_are_converted_once() -> None:
    def read(to: int, swizzle: str) -> dict[str, Any]:
        return row("MUL", ("TEMP", to), 1, ("IN", 2, swizzle), ("IN", 2, swizzle)) | {"stage": "fragment"}

    program = [read(1, X), read(2, X), read(3, Y), read(4, Z)]
    found = loads(program, frozenset({2}))
    # Words x and y are converted, z is a message; nothing is interpolated.
    assert (found.places, found.vectors, found.channels) == ([1, 0, 1, 0], [0, 0, 0, 1], [0] * 4)
    varying = loads(program)
    assert (varying.places, varying.vectors, varying.channels) == ([0] * 4, [1, 0, 0, 0], [6, 0, 0, 0])
    # A conversion and, in the same tuple, the sum behind it; then a product. A varying's message is sent before.
    one = program[:1]
    assert scheduled_tuples(one, program_operations(one, loads(one, frozenset({2})))) == 2
    assert scheduled_tuples(one, program_operations(one, loads(one))) == 1
    text = "FRAG\nDCL IN[0] varying\nDCL IN[2] frag_coord\n"
    programs = pa.table({"program": [7, 8], "fragment_ir": [text, ""]})
    assert places_of(programs) == {7: frozenset({2}), 8: frozenset()}


def test_instructions_count_by_pipe_where_a_warp_executes_some_of_their_block() -> None:
    """Products and sums, comparisons, special functions; what has no cycle of its own counts with what has one."""
    product = row("MUL", ("TEMP", 1), 15, ("TEMP", 0, "xyzw"), ("TEMP", 0, "xyzw"))
    root = row("RSQ", ("TEMP", 2), 1, ("TEMP", 1, "x"))
    least = row("MIN", ("TEMP", 3), 3, ("TEMP", 1, "xy"), ("TEMP", 2, "xx"))
    rows = [{**product, "block": 0}, {**root, "block": 0}, {**least, "block": 0}, {**product, "block": 3}]
    counts = pipe_counts(rows, loads(rows), np.array([2, 3, 0, 1]))
    assert counts.tolist() == [[0, 0, 0], [4, 2, 1], [0, 0, 0], [4, 0, 0]]
