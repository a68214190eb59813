"""Vertex shaders as one function over all lanes. Loops are excluded, because nothing would stop one that does not
terminate, and so are texture operations.
"""

from __future__ import annotations

from llvmlite import ir

from ...glsl.ir.program import File, Shader
from .fragments import MAX_INSTRUCTIONS
from .ir.piece import Rows, emit_rows
from .ir.whole import TEXTURES, WholeShader, input_keys, not_vector_code

NAME = "vertices"


def not_compiled(shader: Shader) -> str:
    """Reason why a vertex shader cannot be compiled as a whole; "" if it can."""
    for instruction in shader.instructions:
        if instruction.opcode in TEXTURES:
            return "it reads textures"
        if instruction.opcode == "BGNLOOP":
            return "it has loops"
    if len(shader.instructions) > MAX_INSTRUCTIONS:
        return f"it has more than {MAX_INSTRUCTIONS} instructions"
    return not_vector_code(shader)


def emit_vertices(module: ir.Module, width: int, shader: Shader) -> None:
    """The function, of the type of a piece."""

    def body(rows: Rows) -> None:
        inputs = {key: rows.load(key) for key in input_keys(shader)}
        whole = WholeShader(rows.v, shader, inputs, rows.files[File.CONSTANT])
        whole.emit()
        for key in whole.registers:
            if key[0] is File.OUTPUT:
                rows.store(key, whole.output(*key[1:]), rows.existing)

    emit_rows(module, NAME, width, body)
