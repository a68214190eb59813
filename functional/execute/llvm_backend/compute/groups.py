"""A compute shader over the vectors of a work group, cut into regions at its barriers.

All vectors of a group execute a region before any executes the next. A region is a run of instructions; loops and
branches without a barrier are inside of one. Those with a barrier are left to the group: they run as long as any lane
of the group takes them, under masks, so that the result is the reference's even where lanes differ. Registers that
lanes read behind a region, sets of lanes, and the count of executed instructions are kept in the vector's slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from llvmlite import ir

from ....glsl.ir.program import File, Shader
from ...numpy_backend.layout import Key, registers_written
from ..ir.indirect import chosen_files
from ..ir.instruction import read_operand
from ..ir.memory import any_lane, counted_loop, existing_lanes, variable
from ..ir.vectors import BOOL, LONG, Value, Vectors
from ..ir.whole import Flow, WholeShader
from .liveness import Liveness, registers_accessed
from .slots import Slots, VectorSlots

MakeShader = Callable[[Vectors, Value], WholeShader]
"""Makes the emitter of the shader for a vector by its builder and the number of its first lane, an int64."""
Closing = Callable[[VectorSlots, Value], None]
"""Emits what follows a region, for the slots of a vector and the number of its first lane."""
COUNT, FILE = "count", "temporaries"
LOOP, THEN, ELSE = "loop", "then", "else"
_SETS = {"BGNLOOP": ("live", "remaining"), "UIF": ("condition",)}
"""Sets of lanes that constructs keep: of a loop, those that go on with this iteration, and those that begin another; of
a branch, those whose condition holds."""
NEVER = ir.Constant(BOOL, 0)


class Lanes(NamedTuple):
    """Sets of lanes of a construct, by the position of its UIF or BGNLOOP."""

    construct: str
    pc: int


@dataclass(frozen=True)
class _Level:
    """An open construct with a barrier: a loop or half of a branch, and where it begins."""

    kind: str
    pc: int


@dataclass
class GroupCode:
    """Emits a work group.

    Parameters
    ----------
    shader
        The shader.
    b
        Where code goes.
    slots
        Memory of the group's vectors.
    size
        Invocations of a group.
    make
        Makes emitters of the shader.
    limit, fail
        See `WholeShader`.
    """

    shader: Shader
    b: ir.IRBuilder
    slots: Slots
    size: int
    make: MakeShader
    limit: Value
    fail: Callable[[], None]
    _levels: list[_Level] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.width = self.slots.width
        self.vectors = -(-self.size // self.width)
        self.ends = _ends(self.shader)
        self.split = _split(self.shader, self.ends) if self.vectors > 1 else frozenset()
        self.counts = any(i.opcode == "BGNLOOP" for i in self.shader.instructions)
        self.file = File.TEMPORARY in chosen_files(self.shader)

    def emit(self) -> None:
        """The whole shader."""
        if not self.split:
            self._each_vector(lambda v, first, _: self._whole(v, first))
            return
        self.live = Liveness(self.shader)
        self._reserve()
        if self.counts or self.file or self.live.before[0]:
            self._each_vector(lambda v, first, vector: self._begin(self.slots.at(v, vector)))
        self._sequence(range(len(self.shader.instructions)))

    def _each_vector(self, body: Callable[[Vectors, Value, Value], None]) -> None:
        """Code for every vector: given are its emitter, the number of its first lane, and its own."""

        def vector(number: Value) -> None:
            v = Vectors(self.b, self.width)
            body(v, self.b.mul(number, ir.Constant(LONG, self.width)), number)

        if self.vectors == 1:
            vector(ir.Constant(LONG, 0))
        else:
            counted_loop(self.b, ir.Constant(LONG, self.vectors), 1, vector)

    def _existing(self, v: Vectors, first: Value) -> Value:
        """Lanes that have an invocation; None: all."""
        return existing_lanes(v, first, ir.Constant(LONG, self.size)) if self.size % self.width else None

    def _whole(self, v: Vectors, first: Value) -> None:
        whole = self.make(v, first)
        whole.mask = self._existing(v, first)
        whole.emit()

    def _reserve(self) -> None:
        """Name all rows, because their number must be known before code is emitted."""
        for key in sorted(frozenset().union(*self.live.before), key=_order):
            self.slots.reserve(key)
        for pc in sorted(self.split):
            for name in _SETS.get(self.shader.instructions[pc].opcode, ()):
                self.slots.reserve(Lanes(name, pc))
        self.slots.reserve(COUNT)
        if self.file:
            self.slots.reserve(FILE, 4 * self.shader.temporary_count)

    def _begin(self, slots: VectorSlots) -> None:
        slots.store(COUNT, ir.Constant(LONG, 0))
        for key in self.live.before[0]:
            slots.store(key, slots.v.number(0))
        if self.file:
            rows = ir.ArrayType(slots.v.floats, 4 * self.shader.temporary_count)
            self.b.store(ir.Constant(rows, None), slots.place(FILE), align=4)

    def _sequence(self, pcs: range, closing: Closing | None = None) -> None:
        """Instructions of one level, from region to region."""
        start = pc = pcs.start
        while pc < pcs.stop:
            if pc in self.split:
                opcode = self.shader.instructions[pc].opcode
                if opcode == "UIF":
                    self._branch(start, pc)
                elif opcode == "BGNLOOP":
                    self._loop(start, pc)
                else:
                    self._region(range(start, pc))
                start = self.ends.get(pc, pc) + 1
            pc = self.ends.get(pc, pc) + 1
        self._region(range(start, pcs.stop), closing)

    def _branch(self, start: int, pc: int) -> None:
        """A branch, after the instructions before it."""
        b, end, middle = self.b, self.ends[pc], self.shader.instructions[pc].flow_target
        assert middle is not None
        halves = {THEN: range(pc + 1, end)}
        if middle < end:
            halves = {THEN: range(pc + 1, middle - 1), ELSE: range(middle, end)}
        taken = {half: variable(b, NEVER) for half in halves}

        def close(slots: VectorSlots, first: Value) -> None:
            for half, flag in taken.items():
                self._levels.append(_Level(half, pc))
                self._note(flag, self._mask(slots, first))
                self._levels.pop()

        self._region(range(start, pc + 1), close)
        for half, pcs in halves.items():
            with b.if_then(b.load(taken[half], typ=BOOL)):
                self._levels.append(_Level(half, pc))
                self._sequence(pcs)
                self._levels.pop()

    def _note(self, flag: Value, lanes: Value) -> None:
        """Set a flag if there are any lanes."""
        self.b.store(self.b.or_(self.b.load(flag, typ=BOOL), any_lane(self.b, lanes)), flag)

    def _loop(self, start: int, pc: int) -> None:
        """A loop, after the instructions before it."""
        b, length = self.b, self.ends[pc] + 1 - pc
        live, remaining, again = Lanes("live", pc), Lanes("remaining", pc), variable(b, NEVER)

        def enter(slots: VectorSlots, first: Value) -> None:
            lanes = self._mask(slots, first)
            for name in (live, remaining):
                slots.store_lanes(name, slots.v.flag(True) if lanes is None else lanes)

        def repeat(slots: VectorSlots, _: Value) -> None:
            count = b.add(slots.load_count(COUNT), ir.Constant(LONG, length))
            too_many = b.icmp_signed(">", count, self.limit)
            with b.if_then(too_many):
                self.fail()
            lanes = b.select(too_many, slots.v.flag(False), slots.load_lanes(remaining))
            slots.store(COUNT, count)
            for name in (live, remaining):
                slots.store_lanes(name, lanes)
            self._note(again, lanes)

        self._region(range(start, pc), enter)
        head, behind = b.append_basic_block("group_loop"), b.append_basic_block("group_behind")
        b.branch(head)
        b.position_at_end(head)
        b.store(NEVER, again)
        self._levels.append(_Level(LOOP, pc))
        self._sequence(range(pc + 1, self.ends[pc]), repeat)
        self._levels.pop()
        b.cbranch(b.load(again, typ=BOOL), head, behind)
        b.position_at_end(behind)

    def _mask(self, slots: VectorSlots, first: Value) -> Value:
        """Lanes that execute at the present level; None: all."""
        b, lanes = self.b, self._existing(slots.v, first)
        for level in self._levels:
            if level.kind == LOOP:
                # Its lanes were those outside when it began.
                lanes = slots.load_lanes(Lanes("live", level.pc))
                continue
            taken = slots.load_lanes(Lanes("condition", level.pc))
            taken = taken if level.kind == THEN else b.not_(taken)
            lanes = taken if lanes is None else b.and_(lanes, taken)
        return lanes

    def _region(self, pcs: range, closing: Closing | None = None) -> None:
        """Instructions without a barrier, of which the last may be the beginning of a branch that has one; ``closing``
        emits what follows, for vectors without executing lanes, too."""
        if not pcs and closing is None:
            return

        def vector(v: Vectors, first: Value, number: Value) -> None:
            slots = self.slots.at(v, number)
            lanes = self._mask(slots, first)
            if pcs and self._levels:
                with self.b.if_then(any_lane(self.b, lanes)):
                    self._instructions(slots, first, lanes, pcs)
            elif pcs:
                self._instructions(slots, first, lanes, pcs)
            if closing is not None:
                closing(slots, first)

        self._each_vector(vector)

    def _instructions(self, slots: VectorSlots, first: Value, lanes: Value, pcs: range) -> None:
        """A region for one vector."""
        whole, instructions = self.make(slots.v, first), self.shader.instructions[pcs.start : pcs.stop]
        variables, written = whole.variables, registers_written(instructions)
        kept = {key for key in written if key in self.live.behind(pcs)}
        # In a branch or loop, lanes that are not there keep what they have.
        needed = self.live.before[pcs.start] | (kept if self._levels else set())
        whole.mask, whole.temporaries = lanes, slots.place(FILE) if self.file else None
        whole.begin_registers(written)
        for key in sorted(needed & registers_accessed(self.shader, pcs), key=_order):
            variables[key] = slots.load(key)
        loop = next((level.pc for level in reversed(self._levels) if level.kind == LOOP), None)
        sets = {} if loop is None else {Flow.LIVE: Lanes("live", loop), Flow.REMAINING: Lanes("remaining", loop)}
        for name, slot in sets.items():
            variables[name] = slots.load_lanes(slot)
        if self.counts:
            variables[Flow.COUNT] = slots.load_count(COUNT)
        branch = instructions[-1] if pcs[-1] in self.split else None
        whole.instructions(pcs if branch is None else pcs[:-1])
        if branch is not None:
            condition = slots.v.to_ints(read_operand(slots.v, self.shader, whole, branch.sources[0], 0))
            taken = self.b.icmp_signed("!=", condition, slots.v.integer(0))
            slots.store_lanes(Lanes("condition", pcs[-1]), taken)
        for key in sorted(kept, key=_order):
            slots.store(key, variables[key])
        for name, slot in sets.items():
            slots.store_lanes(slot, variables[name])
        if self.counts:
            slots.store(COUNT, variables[Flow.COUNT])


def _order(key: Key) -> tuple[str, int, int]:
    return key.file.value, key.register, key.component


def _ends(shader: Shader) -> dict[int, int]:
    """Position of the ENDIF or ENDLOOP of every UIF and BGNLOOP."""
    ends, open_ones = {}, []
    for pc, instruction in enumerate(shader.instructions):
        if instruction.opcode in ("UIF", "BGNLOOP"):
            open_ones.append(pc)
        elif instruction.opcode in ("ENDIF", "ENDLOOP"):
            ends[open_ones.pop()] = pc
    return ends


def _split(shader: Shader, ends: dict[int, int]) -> frozenset[int]:
    """Positions of barriers, and of the beginnings of branches and loops around them."""
    barriers = [pc for pc, instruction in enumerate(shader.instructions) if instruction.opcode == "BARRIER"]
    around = {start for start, end in ends.items() if any(start < pc < end for pc in barriers)}
    return frozenset({*barriers, *around})
