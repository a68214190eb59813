"""Plans whose straight-line pieces are machine code; flow, texture and rare operations are the reference's."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from llvmlite import ir

from ...compile.addresses import address
from ...glsl.ir.program import Shader
from ...glsl.ir.text import print_shader
from ..numpy_backend.kernels import Operation
from ..numpy_backend.plan import Branch, Item, Plan, Planner, Repeat, Straight, make_plan
from ..numpy_backend.registers import Registers
from .ir.instruction import is_native
from .ir.piece import emit_piece
from .native import compile_functions, width

MAX_INSTRUCTIONS = 1024
"""Above this, compiling takes seconds."""
_PROTOTYPE = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5, ctypes.c_int64)


@dataclass
class Piece:
    """Consecutive instructions as one operation: machine code, which takes a mask in branches and loops."""

    pcs: tuple[int, ...]
    masked: bool
    function: Any = None

    @property
    def name(self) -> str:
        """Name of the function."""
        return f"piece_{self.pcs[0]}_{len(self.pcs)}"

    def __call__(self, s: Registers) -> None:
        arrays = [s.block, s.inputs, s.outputs, s.constants]
        if self.masked:
            arrays.append(np.ones(s.lanes + width(), np.uint8))
            arrays[-1][: s.lanes] = True if s.mask is None else s.mask
        self.function(*[address(array) for array in arrays], *([] if self.masked else [None]), s.lanes)


class NativePlanner(Planner):
    """Leaves a piece for each instruction that vector code executes."""

    def __init__(self, shader: Shader) -> None:
        super().__init__(shader)
        # Machine code supports only rows of all lanes.
        self.translator.all_wide = True

    def _simple(self, pc: int, depth: int) -> list[Item]:
        if not is_native(self.shader.instructions[pc]):
            return super()._simple(pc, depth)
        return [self._piece(pc, [Piece((pc,), depth > 0)])]


def native_plan(shader: Shader) -> Plan:
    """Translate a shader; the plan holds the machine code. Very long shaders are left to the reference."""
    if len(shader.instructions) > MAX_INSTRUCTIONS:
        return make_plan(shader)
    planner = NativePlanner(shader)
    plan = Plan(shader, planner.layout, planner.plan())
    pieces: list[Piece] = []
    for straight in _straights(plan.items):
        straight.operations = _joined(straight.operations)
        pieces += [operation for operation in straight.operations if isinstance(operation, Piece)]

    def emit(module: ir.Module) -> None:
        for piece in pieces:
            emit_piece(module, shader, piece.name, piece.pcs, piece.masked, width())

    if pieces:
        key = [print_shader(shader), *(repr(piece) for piece in pieces)]
        plan.code = code = compile_functions(key, [piece.name for piece in pieces], emit)
        for piece in pieces:
            piece.function = _PROTOTYPE(code.address[piece.name])
    return plan


def _straights(items: list[Item]) -> Iterator[Straight]:
    for item in items:
        if isinstance(item, Straight):
            yield item
        elif isinstance(item, Branch):
            yield from _straights([*item.then, *item.otherwise])
        elif isinstance(item, Repeat):
            yield from _straights(item.body)


def _joined(operations: list[Operation]) -> list[Operation]:
    """Operations in which consecutive pieces are one."""
    joined: list[Operation] = []
    for native, run in groupby(operations, lambda operation: isinstance(operation, Piece)):
        together: list[Any] = list(run)
        if native:
            together = [Piece(tuple(pc for piece in together for pc in piece.pcs), together[0].masked)]
        joined += together
    return joined
