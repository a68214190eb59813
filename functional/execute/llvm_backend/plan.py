"""Plans whose straight-line pieces are machine code; flow, texture and rare operations are the reference's."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ...glsl.ir.program import File, Shader
from ..backend import FloatArray
from ..numpy_backend.kernels import Operation
from ..numpy_backend.plan import Branch, Item, Plan, Planner, Repeat, Straight, Whole, make_plan, merge
from ..numpy_backend.registers import Registers
from .invoke import invoke
from .ir.instruction import Key, is_native
from .ir.piece import Piece, registers_read
from .native import Code, compile_pieces, width

MAX_INSTRUCTIONS = 1024
"""Above this, compiling takes seconds."""
_NO_MASK, _NO_BLOCK = np.zeros(0, np.uint8), np.zeros((0, 0), np.float32)


@dataclass(frozen=True)
class Marker:
    """Placeholder in a plan for an instruction that vector code executes."""

    pc: int

    def __call__(self, s: Registers) -> None:
        raise AssertionError("an instruction was left out of the machine code")


class NativePlanner(Planner):
    """Leaves markers for vector code."""

    def __init__(self, shader: Shader) -> None:
        super().__init__(shader)
        self.chosen_at_run_time = self.translator.all_wide
        # Machine code supports only rows of all lanes.
        self.translator.all_wide = True

    def _simple(self, pc: int, depth: int) -> list[Item]:
        if not is_native(self.shader.instructions[pc]):
            return super()._simple(pc, depth)
        piece = Straight(0, [Marker(pc)], [Marker(pc)], None)
        self._count(piece, pc)
        return [piece]


def native_plan(shader: Shader) -> Plan:
    """Translate a shader; the plan holds the machine code. Very long shaders are left to the reference."""
    if len(shader.instructions) > MAX_INSTRUCTIONS:
        return make_plan(shader)
    planner = NativePlanner(shader)
    items = merge(planner.plan())
    pieces: dict[tuple[int, ...], Piece] = {}
    for straight, deep in _straights(items, False):
        if not deep:
            straight.masked = straight.operations
        for run in (*_runs(straight.operations), *_runs(straight.masked)):
            if pcs := _pcs(run):
                kept = _kept(shader, pcs, planner.chosen_at_run_time)
                pieces[pcs] = Piece(f"piece_{pcs[0]}_{len(pcs)}", pcs, deep, kept)
    plan = Plan(shader, planner.layout, items)
    if not pieces:
        return plan
    code = plan.code = compile_pieces(shader, list(pieces.values()))
    for straight, _ in _straights(items, False):
        straight.operations = _replaced(straight.operations, pieces, code)
        straight.masked = _replaced(straight.masked, pieces, code)
    plan.whole = _whole(items, pieces.values())
    return plan


def _straights(items: list[Item], deep: bool) -> Iterator[tuple[Straight, bool]]:
    for item in items:
        if isinstance(item, Straight):
            yield item, deep
        elif isinstance(item, Branch):
            yield from _straights(item.then, True)
            yield from _straights(item.otherwise, True)
        elif isinstance(item, Repeat):
            yield from _straights(item.body, True)


def _runs(operations: list[Operation]) -> Iterator[list[Operation]]:
    """The operations in runs: consecutive markers, and the operations between them."""
    for _, run in groupby(operations, lambda operation: isinstance(operation, Marker)):
        yield list(run)


def _pcs(run: list[Operation]) -> tuple[int, ...]:
    """Instructions of a run of markers; none of another run."""
    return tuple(operation.pc for operation in run if isinstance(operation, Marker))


def _kept(shader: Shader, pcs: tuple[int, ...], chosen_at_run_time: bool) -> frozenset[Key]:
    """Temporaries that others may read: all if registers are chosen at run time."""
    if chosen_at_run_time:
        return frozenset((File.TEMPORARY, r, c) for r in range(shader.temporary_count) for c in range(4))
    inside = set(pcs)
    outside = [instruction for pc, instruction in enumerate(shader.instructions) if pc not in inside]
    own = [shader.instructions[pc] for pc in pcs]
    early: set[Key] = set()
    written: set[Key] = set()
    for instruction in own:
        early |= registers_read([instruction]) - written
        assert instruction.destination is not None
        written |= {(instruction.destination.file, instruction.destination.index, c)
                    for c in instruction.destination.components}  # fmt: skip
    return frozenset(registers_read(outside) | early)


def _replaced(operations: list[Operation], pieces: dict[tuple[int, ...], Piece], code: Code) -> list[Operation]:
    """Operations with each run of markers replaced by a call."""
    done: list[Operation] = []
    for run in _runs(operations):
        piece = pieces.get(_pcs(run))
        done += run if piece is None else [PieceCall(code.address[piece.name], piece.masked)]
    return done


class PieceCall:
    """A piece of machine code as an operation."""

    def __init__(self, address: int, masked: bool) -> None:
        self.address = address
        self.masked = masked

    def __call__(self, s: Registers) -> None:
        mask = _NO_MASK
        if self.masked:
            mask = np.ones(s.lanes + width(), np.uint8)
            if s.mask is not None:
                mask[: s.lanes] = s.mask
        invoke(self.address, s.block, s.inputs, s.outputs, s.constants, mask, s.lanes)


def _whole(items: list[Item], pieces: Collection[Piece]) -> Whole | None:
    """The shader as one call, if it is a single piece and needs no temporaries in memory."""
    only = items[0]
    if len(items) != 1 or not isinstance(only, Straight) or any(piece.kept for piece in pieces):
        return None
    call = only.operations[0] if len(only.operations) == 1 else None
    if only.kills or not isinstance(call, PieceCall) or call.masked:
        return None
    address = call.address

    def run(inputs: FloatArray, outputs: FloatArray, constants: FloatArray) -> None:
        invoke(address, _NO_BLOCK, inputs, outputs, constants, _NO_MASK, inputs.shape[2])

    return Whole(only.instructions, run, address)
