"""Vertex shaders as one function over all lanes."""

from __future__ import annotations

from llvmlite import ir

from ...compile.blocks import words_in
from ...glsl.ir.analysis import shifted_samplers
from ...glsl.ir.program import File, Instruction, Shader
from ..backend import DEFAULT_INSTRUCTION_LIMIT, Noted
from ..kernel_arguments import ReadBlock, VertexArguments
from .ir.memory import POINTER
from .ir.piece import Arguments, Rows, emit_rows
from .ir.vectors import INT, LONG, Value
from .ir.whole import Operands, WholeShader, input_keys
from .texture.calls import TextureCalls
from .texture.notes import Notes, forget, no_notes

NAME = "vertices"
_SIGNATURE = ir.FunctionType(
    ir.VoidType(), [LONG if name in ("lanes", "first") else POINTER for name in VertexArguments._fields]
)


def emit_vertices(module: ir.Module, width: int, shader: Shader, noted: Noted) -> None:
    """The function, which notes something of the flow of lanes."""
    function = ir.Function(module, _SIGNATURE, NAME)
    given = VertexArguments(*function.args)
    rows = Arguments(None, given.inputs, given.outputs, given.constants, None, given.lanes)
    emit_rows(function, rows, width, lambda rows: _Vector(shader, given, rows).emit(noted))


class _Vector:
    """Emits the body of the loop."""

    def __init__(self, shader: Shader, given: VertexArguments, rows: Rows) -> None:
        self.shader, self.given, self.rows, self.v = shader, given, rows, rows.v
        self.first_lane = self.v.builder.add(given.first, rows.first)
        self.calls = TextureCalls(self.v, given.samplers, False, shifted_samplers(shader))

    def emit(self, noted: Noted) -> None:
        """Inputs, shader, results."""
        rows, b, given = self.rows, self.v.builder, self.given
        limit = ir.Constant(LONG, DEFAULT_INSTRUCTION_LIMIT)
        inputs = {key: rows.load(key) for key in input_keys(self.shader)}
        constants = rows.files[File.CONSTANT]
        whole = WholeShader(self.v, self.shader, inputs, constants, self._sample, limit, self._fail, noted, given.tree)
        whole.emit()
        if noted != "nothing":
            b.store(whole.flow_of_lanes(), b.gep(given.nodes, [self.first_lane], source_etype=INT), align=4)
        for key in whole.written:
            if key.file is File.OUTPUT:
                rows.store(key, whole.output(key.register, key.component), rows.existing)

    def _sample(self, number: int, instruction: Instruction, operands: Operands, lanes: Value) -> list[Value]:
        """A texture operation."""
        b = self.v.builder
        if instruction.opcode == "TXQ":
            return self.calls.emit(instruction, operands, no_notes(self.v), frozenset())
        none = b.icmp_unsigned("==", b.ptrtoint(self.given.reads, LONG), ir.Constant(LONG, 0))
        note = b.gep(self.given.reads, [ir.Constant(LONG, number * words_in(ReadBlock))], source_etype=LONG)
        notes = Notes(self.v, b.select(none, ir.Constant(POINTER, None), note), self.first_lane)
        channels = self.calls.emit(instruction, operands, notes, frozenset())
        if lanes is not None:
            with b.if_then(b.not_(none)):
                forget(self.v, notes.block, notes.first, lanes)
        return channels

    def _fail(self) -> None:
        """Report that the shader exceeds its instructions."""
        self.v.builder.store(ir.Constant(LONG, 1), self.given.failed, align=8)
