"""Members of uniform blocks: maps std140 offsets to components of constant registers."""

from dataclasses import replace

from ..block_layout import COMPONENT_BYTES, SLOT_BYTES, STD140, Layout
from ..ssa import Operand
from ..types import ArrayType, BasicType, StructType, Type
from .l_value import LValue
from .state import Leaves, LoweringState


def block_field(base: LValue, of: StructType, index: int) -> LValue:
    """The l-value of a member."""
    field, layout = of.fields[index], rules(base)
    offset = base.offset + layout.member_offsets(of)[index]
    return replace(base, type=field.type, offset=offset, layout=layout.of(field.row_major))


def rules(l_value: LValue) -> Layout:
    """The layout of a value in a uniform block."""
    return l_value.layout or STD140


class BlockLowering(LoweringState):
    """Reads members of uniform blocks, which are never written."""

    def block_element(self, base: LValue, element: Type, index: Operand, constant_index: int | None) -> LValue:
        """The l-value of an array's element or a matrix's column."""
        column = isinstance(base.type, BasicType)
        stride = SLOT_BYTES if column else rules(base).array_stride_bytes(element)
        if constant_index is not None:
            return replace(base, type=element, offset=base.offset + constant_index * stride)
        step = self.builder.alu("UMUL", index, self.builder.immediate(stride // SLOT_BYTES))
        if base.dynamic is not None:
            step = self.builder.alu("UADD", base.dynamic, step)
        return replace(base, type=element, dynamic=step)

    def read_block(self, l_value: LValue) -> Leaves:
        """Operands of a member's value."""
        of = l_value.type
        if isinstance(of, StructType):
            members = [block_field(l_value, of, index) for index in range(len(of.fields))]
            return tuple(leaf for member in members for leaf in self.read_block(member))
        if isinstance(of, ArrayType):
            stride = rules(l_value).array_stride_bytes(of.element)
            elements = [replace(l_value, type=of.element, offset=l_value.offset + i * stride) for i in range(of.size)]
            return tuple(leaf for element in elements for leaf in self.read_block(element))
        assert isinstance(of, BasicType)
        if not of.is_matrix:
            return (self._vector(l_value, l_value.offset, of),)
        if not rules(l_value).row_major:
            return tuple(self._vector(l_value, l_value.offset + i * SLOT_BYTES, of) for i in range(of.columns))
        across = of.with_rows(of.columns)
        rows = [self._vector(l_value, l_value.offset + i * SLOT_BYTES, across) for i in range(of.rows)]
        return tuple(
            self.builder.vector([self.builder.select(row, (column,)) for row in rows]) for column in range(of.columns)
        )

    def _vector(self, l_value: LValue, offset: int, of: BasicType) -> Operand:
        """Components from a byte offset on; for a swizzled l-value, all up to the end of the slot."""
        first = offset % SLOT_BYTES // COMPONENT_BYTES
        end = 4 if l_value.components is not None else first + of.rows
        args = () if l_value.dynamic is None else (l_value.dynamic,)
        slot = self.builder.shared("UNIFORM", 4, args, (l_value.variable, offset // SLOT_BYTES))
        operand = self.builder.select(slot, tuple(range(first, end)))
        if of.base == "bool":
            operand = self.builder.alu("USNE", operand, self.builder.immediate(*(0,) * (end - first)))
        return operand
