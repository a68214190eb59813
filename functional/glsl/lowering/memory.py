"""Storage blocks, shared variables, images and counters: loads, stores and atomic operations on byte addresses."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..block_layout import COMPONENT_BYTES, STD430, Layout, layout_of
from ..ir.program import COORDINATES, Space
from ..memory_functions import OPCODES, atomic_operation, is_barrier
from ..ssa import Operand
from ..typed import BufferLength, BuiltinCall, Expression, Variable
from ..types import ArrayType, BasicType, ImageType, StructType, Type
from .blocks import BlockLowering
from .l_value import LValue
from .state import Leaves

_SIZES = {"2d": 2, "3d": 3, "cube": 2, "2d_array": 3}
_COUNTS = {"atomicCounterIncrement": 1, "atomicCounterDecrement": 0xFFFFFFFF}


@dataclass(frozen=True, slots=True)
class MemoryData:
    """Operand of a memory operation: a variable, an element of an array of blocks or images, or the kind of barrier."""

    space: Space
    variable: Variable | None = None
    element: int = 0
    barrier: str = ""


def in_memory(variable: Variable | None) -> bool:
    """Whether a variable is in a buffer or in shared memory."""
    return variable is not None and variable.storage in ("buffer", "shared")


class MemoryLowering(BlockLowering):
    """Accesses to memory."""

    shared_offsets: dict[Variable, int]
    """Offset of each shared variable in bytes."""

    def value(self, expression: Expression) -> Leaves:
        """Operands of an expression's value."""
        raise NotImplementedError

    def l_value(self, expression: Expression) -> LValue:
        """The l-value of an expression."""
        raise NotImplementedError

    def memory_root(self, variable: Variable) -> LValue:
        """The l-value of a whole variable."""
        if variable.storage == "buffer":
            return LValue(variable, variable.type, layout=layout_of(variable))
        return LValue(variable, variable.type, self.shared_offsets[variable], layout=STD430)

    def memory_field(self, base: LValue, of: StructType, index: int) -> LValue:
        """The l-value of a member."""
        field, layout = of.fields[index], _layout(base)
        offset = base.offset + layout.member_offsets(of)[index]
        return replace(base, type=field.type, offset=offset, layout=layout.of(field.row_major))

    def memory_element(self, base: LValue, element: Type, index: Operand, constant_index: int | None) -> LValue:
        """The l-value of an array's element, a matrix's column or a vector's component."""
        of, layout = base.type, _layout(base)
        if base.variable is not None and base.variable.block and isinstance(of, ArrayType) and of is base.variable.type:
            return replace(base, type=element, element=constant_index or 0)
        step = base.spread
        if isinstance(of, ArrayType):
            step = layout.array_stride_bytes(element)
        elif isinstance(of, BasicType) and of.is_matrix:
            stride = layout.matrix_stride_bytes(of)
            step = COMPONENT_BYTES if layout.row_major else stride
            base = replace(base, spread=stride if layout.row_major else COMPONENT_BYTES)
        elif base.components is not None and constant_index is not None:
            return replace(base, type=element, components=(base.components[constant_index],))
        elif base.components is not None:
            offsets = [self.builder.immediate(c * base.spread) for c in base.components]
            return self._moved(replace(base, type=element, components=None), self._picked(index, offsets))
        if constant_index is not None:
            return replace(base, type=element, offset=base.offset + constant_index * step)
        distance = self.builder.alu("UMUL", index, self.builder.immediate(step))
        return self._moved(replace(base, type=element), distance)

    def _picked(self, index: Operand, operands: list[Operand]) -> Operand:
        result = operands[0]
        for i, operand in enumerate(operands[1:], 1):
            chosen = self.builder.alu("USEQ", index, self.builder.immediate(i))
            result = self.builder.alu("UCMP", chosen, operand, result)
        return result

    def _moved(self, base: LValue, distance: Operand) -> LValue:
        if base.dynamic is not None:
            distance = self.builder.alu("UADD", base.dynamic, distance)
        return replace(base, dynamic=distance)

    def _address(self, l_value: LValue, offset: int) -> Operand:
        constant = self.builder.immediate(offset & 0xFFFFFFFF)
        return constant if l_value.dynamic is None else self.builder.alu("UADD", l_value.dynamic, constant)

    def _data(self, l_value: LValue) -> MemoryData:
        assert l_value.variable is not None
        if l_value.variable.storage == "shared":
            return MemoryData(Space.SHARED)
        return MemoryData(Space.BUFFER, l_value.variable, l_value.element)

    def _vectors(self, l_value: LValue) -> Iterator[LValue]:
        """The l-values of the vectors that a value consists of, in the order of its leaves."""
        of, layout = l_value.type, _layout(l_value)
        if isinstance(of, StructType):
            for index in range(len(of.fields)):
                yield from self._vectors(self.memory_field(l_value, of, index))
        elif isinstance(of, ArrayType):
            stride = layout.array_stride_bytes(of.element)
            for i in range(of.size):
                yield from self._vectors(replace(l_value, type=of.element, offset=l_value.offset + i * stride))
        elif isinstance(of, BasicType) and of.is_matrix:
            for i in range(of.columns):
                yield self.memory_element(l_value, of.with_rows(of.rows), self.builder.immediate(i), i)
        else:
            yield l_value

    def read_memory(self, l_value: LValue) -> Leaves:
        """Operands of an l-value's value."""
        return tuple(self._load(vector) for vector in self._vectors(l_value))

    def _load(self, l_value: LValue) -> Operand:
        of = l_value.type
        assert isinstance(of, BasicType)
        chosen = l_value.components or tuple(range(of.rows))
        if l_value.spread == COMPONENT_BYTES:
            first, last = min(chosen), max(chosen)
            address = self._address(l_value, l_value.offset + COMPONENT_BYTES * first)
            loaded = self.builder.make("LOAD", last - first + 1, (address,), self._data(l_value))
            operand = self.builder.select(loaded, tuple(c - first for c in chosen))
        else:
            parts = []
            for component in chosen:
                address = self._address(l_value, l_value.offset + l_value.spread * component)
                parts.append(self.builder.make("LOAD", 1, (address,), self._data(l_value)))
            operand = self.builder.vector(parts)
        if of.base == "bool":
            operand = self.builder.alu("USNE", operand, self.builder.immediate(*(0,) * len(chosen)))
        return operand

    def write_memory(self, l_value: LValue, leaves: Leaves) -> None:
        """Change an l-value's value."""
        for vector, leaf in zip(self._vectors(l_value), leaves, strict=True):
            self._store(vector, leaf)

    def _store(self, l_value: LValue, leaf: Operand) -> None:
        of = l_value.type
        assert isinstance(of, BasicType)
        if of.base == "bool":
            leaf = self.builder.alu("AND", leaf, self.builder.immediate(*(1,) * len(leaf.swizzle)))
        places = sorted(zip(l_value.components or range(of.rows), range(of.rows), strict=False))
        while places:
            count = 1
            if l_value.spread == COMPONENT_BYTES:
                while count < len(places) and places[count][0] == places[0][0] + count:
                    count += 1
            address = self._address(l_value, l_value.offset + l_value.spread * places[0][0])
            value = self.builder.select(leaf, tuple(source for _, source in places[:count]))
            self.builder.make("STORE", 0, (address, value), self._data(l_value))
            del places[:count]

    def buffer_length(self, expression: BufferLength) -> Leaves:
        """Number of elements of an array at the end of a buffer (ESSL 3.10, 4.1.9)."""
        l_value = self.l_value(expression.array)
        of = l_value.type
        assert isinstance(of, ArrayType)
        size = self.builder.shared("RESQ", 1, (), self._data(l_value))
        rest = self.builder.alu("UADD", size, self.builder.immediate(-l_value.offset & 0xFFFFFFFF))
        stride = self.builder.immediate(_layout(l_value).array_stride_bytes(of.element))
        return (self.builder.alu("UDIV", rest, stride),)

    def memory_function(self, expression: BuiltinCall) -> Leaves:
        """A built-in function on memory."""
        name = expression.name
        if is_barrier(name):
            opcode = "BARRIER" if name == "barrier" else "MEMBAR"
            self.builder.make(opcode, 0, (), MemoryData(Space.SHARED, barrier=name))
            return ()
        place, rest = self.l_value(expression.arguments[0]), [self.value(a)[0] for a in expression.arguments[1:]]
        if isinstance(place.type, ImageType):
            return self._image_function(name, place, place.type, rest)
        if name.startswith("atomicCounter"):
            return (self._counter(name, place),)
        of = place.type
        assert isinstance(of, BasicType)
        return (self._atomic(name, of.base, self._component_address(place), rest, self._data(place)),)

    def _component_address(self, place: LValue) -> Operand:
        chosen = 0 if place.components is None else place.components[0]
        return self._address(place, place.offset + place.spread * chosen)

    def _atomic(self, name: str, base: str, address: Operand, rest: list[Operand], data: MemoryData) -> Operand:
        opcode = OPCODES[atomic_operation(name)]
        if base == "uint":
            opcode = opcode.replace("IMIN", "UMIN").replace("IMAX", "UMAX")
        return self.builder.make(opcode, 1, (address, *rest), data)

    def _counter(self, name: str, place: LValue) -> Operand:
        """A counter is a word of a buffer; decrementing returns the new value (ESSL 3.10, 8.10)."""
        variable = place.variable
        assert variable is not None
        data = MemoryData(Space.BUFFER, variable)
        base = self.builder.immediate(4 * place.offset + (variable.offset_bytes or 0))
        address = base
        if place.dynamic is not None:
            distance = self.builder.alu("UMUL", place.dynamic, self.builder.immediate(4))
            address = self.builder.alu("UADD", distance, base)
        if name == "atomicCounter":
            return self.builder.make("LOAD", 1, (address,), data)
        step = self.builder.immediate(_COUNTS[name])
        before = self.builder.make("ATOMUADD", 1, (address, step), data)
        return before if name == "atomicCounterIncrement" else self.builder.alu("UADD", before, step)

    def _image_function(self, name: str, place: LValue, of: ImageType, rest: list[Operand]) -> Leaves:
        root, element = self.opaque_root(place)
        data = MemoryData(Space.IMAGE, root, element)
        if name == "imageSize":
            size = self.builder.shared("RESQ", 3, (), data)
            return (self.builder.select(size, tuple(range(_SIZES[of.target]))),)
        coordinates = self.builder.select(rest[0], tuple(range(COORDINATES[of.target])))
        if name == "imageLoad":
            return (self.builder.make("LOAD", 4, (coordinates,), data),)
        if name == "imageStore":
            self.builder.make("STORE", 0, (coordinates, rest[1]), data)
            return ()
        return (self._atomic(name, of.base, coordinates, rest[1:], data),)

    def opaque_root(self, place: LValue) -> tuple[Variable, int]:
        """The uniform that an image or its function parameter stands for, and its element."""
        raise NotImplementedError


def _layout(l_value: LValue) -> Layout:
    assert l_value.layout is not None
    return l_value.layout
