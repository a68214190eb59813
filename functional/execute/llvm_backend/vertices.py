"""Vertex shaders as one function over all lanes."""

from __future__ import annotations

from llvmlite import ir

from ...glsl.ir.program import File, Instruction, Shader
from ..backend import DEFAULT_INSTRUCTION_LIMIT
from .ir.piece import Rows, emit_rows
from .ir.vectors import LONG, Value
from .ir.whole import WholeShader, input_keys
from .texture.calls import TextureCalls
from .texture.notes import no_notes

NAME = "vertices"


def emit_vertices(module: ir.Module, width: int, shader: Shader) -> None:
    """The function, of the type of a piece."""
    limit = ir.Constant(LONG, DEFAULT_INSTRUCTION_LIMIT)

    def body(rows: Rows) -> None:
        calls = TextureCalls(rows.v, rows.samplers, derivatives=False)

        def sample(_: int, instruction: Instruction, coordinates: list[Value], detail: Value, __: Value) -> list[Value]:
            return calls.emit(instruction, coordinates, detail, no_notes(rows.v), frozenset())

        inputs = {key: rows.load(key) for key in input_keys(shader)}
        whole = WholeShader(rows.v, shader, inputs, rows.files[File.CONSTANT], sample, limit, rows.fail)
        whole.emit()
        for key in whole.registers:
            if key.file is File.OUTPUT:
                rows.store(key, whole.output(key.register, key.component), rows.existing)

    emit_rows(module, NAME, width, body)
