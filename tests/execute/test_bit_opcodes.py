"""Opcodes on fields of bits, wide products and exponents, folded and run by both back ends, against plain integers."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np
import pytest

from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl.ir.opcodes import OPCODES
from tilegpu.functional.glsl.ir.program import Destination, File, Instruction, Shader, Source
from tilegpu.functional.glsl.ir.semantics import evaluate

from ..glsl.helpers import no_texture, program_of

EDGES = (0, 1, 2, 3, 5, 23, 30, 31, 32, 33, 127, 149, 150, 255, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF)
EDGES = (*EDGES, 0x7FFFFFFF, 0x80000000, 0x80000001, 0x80800000, 0xC0490FDB, 0xFFFFFF6B, 0xFFFFFFE0, 0xFFFFFFFF)


def _signed(word: int) -> int:
    return word - 2**32 if word >= 2**31 else word


def _extracted(word: int, first: int, count: int, signed: bool) -> int:
    """A string of binary digits, cut out."""
    first, count = first % 32, count % 32
    digits = f"{word:032b}"[::-1][first : first + count]
    if not digits:
        return 0
    value = int(digits[::-1], 2)
    return value - 2 ** len(digits) if signed and digits[-1] == "1" else value


def _inserted(base: int, inserted: int, first: int, count: int) -> int:
    digits, new = list(f"{base:032b}"[::-1]), f"{inserted:032b}"[::-1]
    for i in range(count % 32):
        if first % 32 + i < 32:
            digits[first % 32 + i] = new[i]
    return int("".join(digits)[::-1], 2)


def _scaled(word: int, exponent: int) -> int:
    number = struct.unpack("<f", struct.pack("<I", word))[0]
    try:
        product = math.ldexp(number, max(-1000, min(1000, _signed(exponent))))
        return int(struct.unpack("<I", struct.pack("<f", product))[0])
    except OverflowError:
        return 0x7F800000 if number > 0 else 0xFF800000


EXPECTED: dict[str, Callable[..., int]] = {
    "IBFE": lambda a, b, c: _extracted(a, b, c, True),
    "UBFE": lambda a, b, c: _extracted(a, b, c, False),
    "BFI": _inserted,
    "BREV": lambda a: int(f"{a:032b}"[::-1], 2),
    "POPC": lambda a: a.bit_count(),
    "LSB": lambda a: (a & -a).bit_length() - 1,
    "IMSB": lambda a: (a if a < 2**31 else a ^ 0xFFFFFFFF).bit_length() - 1,
    "UMSB": lambda a: a.bit_length() - 1,
    "IMUL_HI": lambda a, b: _signed(a) * _signed(b) >> 32,
    "UMUL_HI": lambda a, b: a * b >> 32,
    "LDEXP": _scaled,
}


def _operands(count: int) -> np.ndarray:
    """Edges against edges, and random words; the last two of four operands stay small, as numbers of bits are."""
    random = np.random.default_rng(11)
    pairs = np.array([(a, b) for a in EDGES for b in EDGES], np.uint32)
    small = random.integers(0, 34, (len(pairs), 2)).astype(np.uint32)
    words = random.integers(0, 2**32, (2000, 2), dtype=np.uint32)
    few = random.integers(0, 40, (2000, 2)).astype(np.uint32)
    rows = np.concatenate(
        [np.hstack([pairs, small]), np.hstack([words, few]), np.hstack([words[:, :1], few, few])[:, :4]]
    )
    rows = rows[: len(rows) // 16 * 16]
    return rows[:, :count] if count != 3 else rows[:, [0, 2, 3]]


@pytest.mark.parametrize("opcode", sorted(EXPECTED))
def test_opcode(opcode: str) -> None:
    count = OPCODES[opcode].operands
    rows = _operands(count)
    if opcode == "LDEXP":
        rows = rows[~np.isnan(rows[:, 0].copy().view(np.float32))]
        rows = rows[: len(rows) // 16 * 16]
    expected = np.array([EXPECTED[opcode](*map(int, row)) & 0xFFFFFFFF for row in rows], np.uint32)
    folded = evaluate(opcode, [tuple(map(int, column)) for column in rows.T])
    np.testing.assert_array_equal(np.array(folded, np.uint32), expected)
    sources = tuple(Source(File.INPUT, i, (0, 1, 2, 3)) for i in range(count))
    instructions = (Instruction(opcode, Destination(File.OUTPUT, 0, 15), sources), Instruction("END"))
    head = "precision highp float; varying vec4 a; void main() { gl_FragColor = a; }"
    template = program_of(head, {"a": "vec4"}).fragment
    shader = Shader("probe", "fragment", instructions, template.inputs * count, template.outputs)
    inputs = np.stack([column.reshape(4, -1) for column in np.ascontiguousarray(rows.T)]).view(np.float32)
    for backend in (NumpyBackend(), LlvmBackend()):
        outputs = backend.run(shader, inputs, np.zeros((0, 4), np.float32), no_texture).outputs[0]
        np.testing.assert_array_equal(outputs.view(np.uint32).reshape(-1), expected, err_msg=type(backend).__name__)
