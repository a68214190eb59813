"""The fragment kernel of a program: quads in, shaded colours out, a vector of lanes at a time.

Interpolation, the whole shader and its texture operations are one function, so nothing of a fragment leaves the
processor's registers but what it writes.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ...glsl.ir.program import File, Instruction, Shader
from ..kernel_arguments import FragmentField, ReadField, SamplerField
from .instruction import Key
from .interpolation import Primitives
from .memory import POINTER, element, field
from .texture import signature
from .vectors import BYTE, FLOAT, LONG, Value, Vectors
from .whole import WholeShader, is_whole

INPUTS = ("varying", "frag_coord", "face")
MOST_INSTRUCTIONS = 512
"""Compiling takes seconds beyond."""
_ARRAYS = ("primitive", "quad_x", "quad_y", "corners", "window", "outputs", "planes", "front")


def has_kernel(shader: Shader) -> bool:
    """Whether a fragment shader can be compiled as a whole."""
    known = all(declaration.semantic in INPUTS for declaration in shader.inputs)
    return known and len(shader.instructions) <= MOST_INSTRUCTIONS and is_whole(shader)


@dataclass(frozen=True)
class FragmentKernel:
    """What the kernel of a program depends on: its shader, which varying slots are flat, corners of a primitive."""

    shader: Shader
    flat: frozenset[int]
    size: int
    name: str = "fragments"

    def emit(self, module: ir.Module, width: int) -> None:
        """The function: a loop over vectors of lanes. A last vector that is not full repeats its last quad."""
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), self.name)
        block = function.args[0]
        entry, head, body, done = (function.append_basic_block(n) for n in ("entry", "head", "body", "done"))
        b = ir.IRBuilder(entry)
        arguments: dict[FragmentField, Value] = {
            f: field(b, block, f, _kind(f)) for f in FragmentField if f is not FragmentField.FAILED
        }
        quads = ir.Constant(LONG, width // 4)
        b.branch(head)
        b.position_at_end(head)
        first = b.phi(LONG)
        first.add_incoming(ir.Constant(LONG, 0), entry)
        b.cbranch(b.icmp_signed("<", first, arguments[FragmentField.COUNT]), body, done)
        b.position_at_end(body)
        _Vector(self, Vectors(b, width), block, arguments, first).emit()
        first.add_incoming(b.add(first, quads), b.block)
        b.branch(head)
        b.position_at_end(done)
        b.ret_void()


def _kind(name: FragmentField) -> ir.Type:
    numbers = (FragmentField.COUNT, FragmentField.OUTPUT_STRIDE, FragmentField.ROW, FragmentField.LIMIT)
    return LONG if name in numbers else POINTER


class _Vector:
    """Emits the body of the loop."""

    def __init__(
        self,
        kernel: FragmentKernel,
        v: Vectors,
        block: Value,
        arguments: dict[FragmentField, Value],
        first: Value,
    ) -> None:
        self.kernel, self.shader, self.v, self.block, self.arguments = kernel, kernel.shader, v, block, arguments
        b = v.builder
        self.first_lane = b.mul(first, ir.Constant(LONG, 4))
        last = b.sub(arguments[FragmentField.COUNT], ir.Constant(LONG, 1))
        positions = [b.add(first, ir.Constant(LONG, i)) for i in range(v.width // 4)]
        positions = [b.select(b.icmp_signed("<", p, last), p, last) for p in positions]
        places = [element(b, arguments[FragmentField.WHICH], p, LONG) for p in positions]
        arrays = {name: arguments[FragmentField[name.upper()]] for name in _ARRAYS}
        arrays["output_stride"] = arguments[FragmentField.OUTPUT_STRIDE]
        self.primitives = Primitives(v, arrays, places, kernel.size)
        self.inputs: dict[Key, Value] = {}

    def emit(self) -> None:
        """Inputs, shader, results."""
        v, b = self.v, self.v.builder
        for i, declaration in enumerate(self.shader.inputs):
            if declaration.semantic == "varying":
                values = self.primitives.varying(declaration.slot, declaration.slot in self.kernel.flat)
            elif declaration.semantic == "frag_coord":
                values = self.primitives.coordinates()
            else:
                values = self.primitives.facing()
            self.inputs |= {(File.INPUT, i, c): value for c, value in enumerate(values)}
        whole = WholeShader(v, self.shader, self._input, self._sample, self.arguments[FragmentField.LIMIT], self._fail)
        whole.emit()
        for i in range(len(self.shader.outputs)):
            for c in range(4):
                b.store(whole.output(i, c), self._result(4 * i + c), align=4)
        if whole.killed is not None:
            lanes = b.load(whole.killed, typ=ir.VectorType(ir.IntType(1), v.width))
            place = b.gep(self.arguments[FragmentField.KILLED], [self.first_lane], source_etype=BYTE)
            b.store(b.zext(lanes, ir.VectorType(BYTE, v.width)), place, align=1)

    def _result(self, row: int) -> Value:
        b = self.v.builder
        start = b.mul(self.arguments[FragmentField.ROW], ir.Constant(LONG, row))
        return b.gep(self.arguments[FragmentField.RESULTS], [b.add(start, self.first_lane)], source_etype=FLOAT)

    def _input(self, key: Key) -> Value:
        if key[0] is File.INPUT:
            return self.inputs[key]
        b = self.v.builder
        place = b.gep(
            self.arguments[FragmentField.CONSTANTS], [ir.Constant(LONG, 4 * key[1] + key[2])], source_etype=FLOAT
        )
        return self.v.splat(b.load(place, align=4, typ=FLOAT))

    def _sample(
        self, v: Vectors, number: int, instruction: Instruction, coordinates: list[Value], detail: Value
    ) -> list[Value]:
        """A call of the texture unit."""
        b = v.builder
        explicit = instruction.opcode == "TXL"
        function = self.arguments[FragmentField.EXPLICIT if explicit else FragmentField.IMPLICIT]
        assert instruction.sampler is not None
        samplers, reads = self.arguments[FragmentField.SAMPLERS], self.arguments[FragmentField.READS]
        sampler = b.gep(samplers, [ir.Constant(LONG, instruction.sampler * len(SamplerField))], source_etype=LONG)
        note = b.gep(reads, [ir.Constant(LONG, number * len(ReadField))], source_etype=LONG)
        none = b.icmp_unsigned("==", b.ptrtoint(reads, LONG), ir.Constant(LONG, 0))
        note = b.select(none, reads, note)
        result = b.call(_Callee(function, signature(v.width)), [sampler, note, self.first_lane, *coordinates, detail])
        return [b.extract_value(result, i) for i in range(4)]

    def _fail(self) -> None:
        b = self.v.builder
        place = b.gep(self.block, [ir.Constant(LONG, FragmentField.FAILED)], source_etype=LONG)
        b.store(ir.Constant(LONG, 1), place)


@dataclass(frozen=True)
class _Callee:
    """An address as something to call: the type of a function goes with the call."""

    address: Value
    function_type: ir.FunctionType
    type: ir.Type = POINTER

    def get_reference(self) -> str:
        """How the call names it."""
        reference: str = self.address.get_reference()
        return reference
