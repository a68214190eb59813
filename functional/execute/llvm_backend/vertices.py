"""Vertex shaders that are more than one straight-line piece, as one function over all lanes: branches, and registers
chosen at run time. Loops are excluded, because nothing would stop one that does not terminate.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ...glsl.ir.program import File, Instruction, Shader
from .fragments import MAX_INSTRUCTIONS
from .ir.instruction import Key
from .ir.memory import counted_loop, in_all_lanes, masked_load, masked_store
from .ir.piece import SIGNATURE
from .ir.vectors import FLOAT, INT, LONG, Value, Vectors
from .ir.whole import TEXTURES, WholeShader, not_vector_code

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
    """The function, of the type of a piece: a loop over vectors of lanes."""
    function = ir.Function(module, SIGNATURE, NAME)
    for argument in function.args[:5]:
        argument.add_attribute("noalias")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    counted_loop(b, function.args[5], width, lambda first: _Vector(Vectors(b, width), shader, function, first).emit())
    b.ret_void()


@dataclass
class _Vector:
    """Emits the body of the loop."""

    v: Vectors
    shader: Shader
    function: ir.Function
    first: Value

    def emit(self) -> None:
        """Shader and results."""
        v, b = self.v, self.v.builder
        left = b.trunc(b.sub(self.function.args[5], self.first), INT)
        numbers = ir.Constant(v.ints, [ir.Constant(INT, i) for i in range(v.width)])
        existing = b.icmp_unsigned("<", numbers, v.to_ints(v.splat(b.bitcast(left, FLOAT))))
        self.inputs = {
            (File.INPUT, i, c): masked_load(v, self._row(1, i, c), existing, FLOAT)
            for i in range(len(self.shader.inputs))
            for c in range(4)
        }
        nothing = ir.Constant(LONG, 0)
        whole = WholeShader(v, self.shader, self._input, self.function.args[3], _no_texture, nothing, _no_loop)
        whole.emit()
        for file, register, component in whole.registers:
            if file is File.OUTPUT:
                masked_store(v, whole.output(register, component), self._row(2, register, component), existing)

    def _row(self, argument: int, register: int, component: int) -> Value:
        """Pointer to the first lane of a row."""
        b, lanes = self.v.builder, self.function.args[5]
        offset = b.add(b.mul(ir.Constant(LONG, 4 * register + component), lanes), self.first)
        return b.gep(self.function.args[argument], [offset], source_etype=FLOAT)

    def _input(self, key: Key) -> Value:
        if key[0] is File.INPUT:
            return self.inputs[key]
        return in_all_lanes(self.v, self.function.args[3], 4 * key[1] + key[2])


def _no_texture(_: int, __: Instruction, ___: list[Value], ____: Value, _____: Value) -> list[Value]:
    raise AssertionError("a vertex kernel that samples a texture")


def _no_loop() -> None:
    raise AssertionError("a vertex kernel with a loop")
