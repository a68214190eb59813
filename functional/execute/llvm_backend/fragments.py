"""The fragment kernel of a program: quads in, shaded colours out, a vector of lanes at a time.

Interpolation, the whole shader and its texture operations are one function, so only the results of a fragment leave
the processor's registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from llvmlite import ir

from ...compile.blocks import place_of, words_in
from ...glsl.ir.analysis import reads_in_loops, shifted_samplers, texture_channels
from ...glsl.ir.program import Instruction, Shader
from ...glsl.ir.unread import Uncolored
from ..backend import DEFAULT_INSTRUCTION_LIMIT, Interpolation, Noted
from ..kernel_arguments import FragmentArguments, ReadBlock
from .ir.interpolation import Primitives
from .ir.memory import POINTER, any_lane, chosen_elements, counted_loop, either, loaded, set_field, shuffle, variable
from .ir.vectors import BYTE, FLOAT, INT, LONG, SHORT, Value, Vectors
from .ir.whole import Operands, WholeShader, input_keys, not_vector_code
from .texture.calls import TextureCalls
from .texture.notes import Notes, forget, new_record, no_notes

INPUTS = ("varying", "frag_coord", "point_coord", "face")
NONE: frozenset[int] = frozenset()
_FAILED = place_of(FragmentArguments, "failed")


def not_compiled(shader: Shader) -> str:
    """Reason why a fragment shader cannot be compiled as a whole; "" if it can."""
    for declaration in shader.inputs:
        if declaration.semantic not in INPUTS:
            return f"it reads {declaration.semantic}"
    return not_vector_code(shader)


@dataclass(frozen=True)
class FragmentKernel:
    """Properties that the kernel of a program depends on: its shader and how inputs are interpolated, what it notes of
    the flow of lanes, and what it executes if it leaves out colours."""

    shader: Shader
    interpolation: Interpolation
    noted: Noted = "nothing"
    uncolored: Uncolored | None = None
    name: str = "fragments"

    @property
    def unread(self) -> frozenset[int]:
        """Samplers of which it only notes what would be read."""
        return NONE if self.uncolored is None else self.uncolored.unread

    def emit(self, module: ir.Module, width: int) -> None:
        """The function: a loop over vectors of lanes. A last vector that is not full repeats its last quad."""
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), self.name)
        block = function.args[0]
        b = ir.IRBuilder(function.append_basic_block("entry"))
        arguments = loaded(b, block, FragmentArguments)
        latest = variable(b, ir.Constant(LONG, -1))

        def vector(first: Value) -> None:
            _Vector(self, Vectors(b, width), block, arguments, first).emit(latest)

        counted_loop(b, arguments.which.shape[0], width // 4, vector)
        b.ret_void()


class _Vector:
    """Emits the body of the loop."""

    def __init__(
        self, kernel: FragmentKernel, v: Vectors, block: Value, arguments: FragmentArguments, first: Value
    ) -> None:
        self.kernel, self.shader, self.v, self.block, self.arguments = kernel, kernel.shader, v, block, arguments
        b = v.builder
        self.first_lane = b.mul(first, ir.Constant(LONG, 4))
        last = b.sub(arguments.which.shape[0], ir.Constant(LONG, 1))
        numbers = [b.add(first, ir.Constant(LONG, i)) for i in range(v.width // 4)]
        numbers = [b.select(b.icmp_signed("<", n, last), n, last) for n in numbers]
        columns = [(arguments.primitive.data, INT), (arguments.quad_x.data, SHORT), (arguments.quad_y.data, SHORT)]
        self.quads = chosen_elements(b, arguments.which.data, numbers, columns)
        reads = [i for i in self.shader.instructions if i.info.shape == "texture"]
        channels = zip(texture_channels(self.shader), reads, strict=True)
        self.channels = [NONE if i.sampler in kernel.unread else read for read, i in channels]
        self.calls = TextureCalls(v, arguments.samplers.data, True, shifted_samplers(self.shader), kernel.unread)

    def emit(self, latest: Value) -> None:
        """Inputs, shader, results; ``latest`` is that of `Primitives`."""
        b, one = self.v.builder, self._one_primitive()
        values = either(b, one, lambda: self._interpolated(latest), lambda: self._interpolated(None))
        v, inputs = self.v, dict(zip(input_keys(self.shader), values, strict=True))
        constants, tree = self.arguments.constants.data, self.arguments.tree.data
        limit = ir.Constant(LONG, DEFAULT_INSTRUCTION_LIMIT)
        noted = self.kernel.noted
        whole = WholeShader(v, self.shader, inputs, constants, self._sample, limit, self._fail, noted, tree)
        if self.kernel.uncolored is not None:
            whole.executed = self.kernel.uncolored.executed
        whole.emit()
        if noted != "nothing":
            nodes = b.gep(self.arguments.nodes.data, [self.first_lane], source_etype=INT)
            b.store(whole.flow_of_lanes(), nodes, align=4)
        for i, declaration in enumerate(self.shader.outputs):
            kept = self.kernel.uncolored is None or declaration.semantic != "color"
            for c in range(4 if kept else 0):
                b.store(whole.output(i, c), self._result(4 * i + c), align=4)
        if whole.killed is not None:
            place = b.gep(self.arguments.killed.data, [self.first_lane], source_etype=BYTE)
            b.store(b.zext(whole.killed, ir.VectorType(BYTE, v.width)), place, align=1)

    def _one_primitive(self) -> Value:
        """Whether all quads belong to one primitive."""
        b, numbers = self.v.builder, self.quads[0]
        first = shuffle(b, numbers, None, [0] * numbers.type.count)
        return b.not_(any_lane(b, b.icmp_unsigned("!=", numbers, first)))

    def _interpolated(self, latest: Value) -> list[Value]:
        """Components of the inputs, as in `input_keys`."""
        kinds = self.kernel.interpolation
        primitives, values = Primitives(self.v, self.arguments, self.quads, kinds.size, latest), []
        for number, keys in groupby(input_keys(self.shader), lambda key: key[1]):
            declaration, components = self.shader.inputs[number], [key[2] for key in keys]
            slot = declaration.slot
            if declaration.semantic == "varying":
                flat, straight = slot in kinds.flat, slot in kinds.straight
                values += primitives.varying(slot, flat, straight, components)
                continue
            if declaration.semantic == "frag_coord":
                every = primitives.coordinates()
            elif declaration.semantic == "point_coord":
                every = primitives.point_coordinates()
            else:
                every = primitives.facing()
            values += [every[c] for c in components]
        return values

    def _result(self, row: int) -> Value:
        b = self.v.builder
        start = b.mul(self.arguments.results.shape[1], ir.Constant(LONG, row))
        return b.gep(self.arguments.results.data, [b.add(start, self.first_lane)], source_etype=FLOAT)

    def _sample(self, number: int, instruction: Instruction, operands: Operands, lanes: Value) -> list[Value]:
        """A texture operation."""
        read = self.channels[number]
        if instruction.opcode == "TXQ":
            return self.calls.emit(instruction, operands, no_notes(self.v), read)
        notes = Notes(self.v, *self._note(number))
        channels = self.calls.emit(instruction, operands, notes, read)
        if self.kernel.noted != "nothing" and lanes is not None:
            forget(self.v, notes.block, notes.first, lanes)
        return channels

    def _note(self, number: int) -> tuple[Value, Value]:
        """Memory in which an operation notes what it reads, and the index of the vector's first lane there."""
        b, reads = self.v.builder, self.arguments.reads
        if self.kernel.noted != "nothing" and reads_in_loops(self.shader):
            return new_record(self.v, reads.data, number, self.first_lane), ir.Constant(LONG, 0)
        note = b.gep(reads.data, [ir.Constant(LONG, number * words_in(ReadBlock))], source_etype=LONG)
        none = b.icmp_unsigned("==", reads.shape[0], ir.Constant(LONG, 0))
        return b.select(none, ir.Constant(POINTER, None), note), self.first_lane

    def _fail(self) -> None:
        set_field(self.v.builder, self.block, _FAILED, ir.Constant(LONG, 1))
