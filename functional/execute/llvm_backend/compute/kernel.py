"""The kernel of a compute shader: work groups, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from llvmlite import ir

from ....compile.blocks import place_of
from ....glsl.ir.analysis import shifted_samplers
from ....glsl.ir.program import Instruction, Shader
from ...backend import DEFAULT_INSTRUCTION_LIMIT
from ...kernel_arguments import ComputeArguments
from ...memory import ImageFormat
from ...numpy_backend.layout import Key
from ..ir.memory import POINTER, field, loaded, set_field
from ..ir.vectors import BOOL, BYTE, INT, LONG, Value, Vectors
from ..ir.whole import Operands, WholeShader, input_keys
from ..texture.calls import TextureCalls
from ..texture.notes import no_notes
from .accesses import Accesses, MemoryTable
from .groups import GroupCode
from .slots import Slots

NAME = "groups"
_FAILED = place_of(ComputeArguments, "failed")


@dataclass(frozen=True)
class ComputeCode:
    """Emits the kernel of a shader whose images have these formats."""

    shader: Shader
    formats: Sequence[ImageFormat]

    def emit(self, module: ir.Module, width: int) -> None:
        """The function."""
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), NAME)
        b = ir.IRBuilder(function.append_basic_block("entry"))
        block = function.args[0]
        given = loaded(b, block, ComputeArguments)
        slots = Slots(width, b.inttoptr(given.state, POINTER))
        head, group, behind = (b.append_basic_block(name) for name in ("head", "group", "behind"))
        entry = b.block
        b.branch(head)
        b.position_at_end(head)
        number = b.phi(LONG)
        number.add_incoming(given.first, entry)
        failed = b.icmp_signed("!=", field(b, block, _FAILED), ir.Constant(LONG, 0))
        b.cbranch(b.or_(failed, b.icmp_signed(">=", number, given.last)), behind, group)
        b.position_at_end(group)
        _Group(self, b, width, block, given, number).emit(slots)
        vectors = -(-prod(self.shader.local_size) // width)
        assert vectors * slots.vector_bytes <= self.state_bytes(width), "more outlives barriers than there is room for"
        number.add_incoming(b.add(number, ir.Constant(LONG, 1)), b.block)
        b.branch(head)
        b.position_at_end(behind)
        b.ret_void()

    def state_bytes(self, width: int) -> int:
        """Memory that suffices for what outlives the barriers in a group."""
        opcodes = [instruction.opcode for instruction in self.shader.instructions]
        if "BARRIER" not in opcodes:
            return 0
        # Once as registers and once as a file; two sets of lanes at most; address registers and a count.
        rows = 8 * self.shader.temporary_count + 2 * (opcodes.count("UIF") + opcodes.count("BGNLOOP")) + 5
        return 4 * width * rows * -(-prod(self.shader.local_size) // width)


class _Group:
    """Emits a work group."""

    def __init__(
        self, code: ComputeCode, b: ir.IRBuilder, width: int, block: Value, given: ComputeArguments, number: Value
    ) -> None:
        self.shader, self.b, self.block, self.given = code.shader, b, block, given
        self.code, self.width = code, width
        columns, rows = (b.trunc(count, INT) for count in (given.columns, given.rows))
        number = b.trunc(number, INT)
        row, layer = b.udiv(number, columns), b.udiv(number, b.mul(columns, rows))
        place = [b.urem(number, columns), b.urem(row, rows), layer]
        counts = [columns, rows, b.trunc(given.layers, INT)]
        zero = ir.Constant(INT, 0)
        self.uniform = {"group_id": [*place, zero], "group_count": [*counts, zero]}

    def emit(self, slots: Slots) -> None:
        """The group, with shared memory of zeros."""
        b, shared = self.b, 4 * -(-self.shader.shared_bytes // 4)
        if shared:
            kind = ir.FunctionType(ir.VoidType(), [POINTER, BYTE, LONG, BOOL])
            name = "llvm.memset.p0.i64"
            function = b.module.globals.get(name) or ir.Function(b.module, kind, name)
            address = b.inttoptr(self.given.shared, POINTER)
            b.call(function, [address, ir.Constant(BYTE, 0), ir.Constant(LONG, shared), ir.Constant(BOOL, 0)])
        limit = ir.Constant(LONG, DEFAULT_INSTRUCTION_LIMIT)
        GroupCode(self.shader, b, slots, prod(self.shader.local_size), self._vector, limit, self._fail).emit()

    def _vector(self, v: Vectors, first: Value) -> WholeShader:
        """The emitter of the shader for a vector of the group."""
        given, b = self.given, self.b
        pointers = [b.inttoptr(a, POINTER) for a in (given.buffers, given.images, given.shared)]
        accesses = Accesses(v, self.shader, self.code.formats, MemoryTable(*pointers))
        calls = TextureCalls(v, b.inttoptr(given.samplers, POINTER), False, shifted_samplers(self.shader))

        def sample(_: int, instruction: Instruction, operands: Operands, __: Value) -> list[Value]:
            return calls.emit(instruction, operands, no_notes(v), frozenset())

        inputs = {key: self._input(v, key, first) for key in input_keys(self.shader)}
        constants, limit = b.inttoptr(given.constants, POINTER), ir.Constant(LONG, DEFAULT_INSTRUCTION_LIMIT)
        return WholeShader(v, self.shader, inputs, constants, sample, limit, self._fail, memory=accesses.emit)

    def _input(self, v: Vectors, key: Key, first: Value) -> Value:
        b, semantic = self.b, self.shader.inputs[key.register].semantic
        if semantic != "local_id":
            return v.splat(b.bitcast(self.uniform[semantic][key.component], v.floats.element))
        if key.component == 3:
            return v.number(0)
        lanes = -(-prod(self.shader.local_size) // self.width) * self.width
        place = b.add(first, ir.Constant(LONG, lanes * key.component))
        pointer = b.gep(b.inttoptr(self.given.local, POINTER), [place], source_etype=INT)
        return b.load(pointer, align=4, typ=v.floats)

    def _fail(self) -> None:
        set_field(self.b, self.block, _FAILED, ir.Constant(LONG, 1))
