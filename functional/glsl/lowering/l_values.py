"""Resolving, reading and writing l-values."""

from collections.abc import Iterator
from dataclasses import replace

from ..ssa import Operand, bits_of
from ..typed import Expression, FieldOf, IndexOf, Reference, Swizzle, Variable
from ..types import ArrayType, BasicType, OpaqueType, StructType, Type, leaf_count, leaf_types
from .blocks import block_field, rules
from .l_value import LValue
from .memory import MemoryLowering, in_memory
from .state import Leaves, NeedsArray


class LValueLowering(MemoryLowering):
    """Resolving, reading and writing l-values."""

    def value(self, expression: Expression) -> Leaves:
        """Operands of an expression's value."""
        raise NotImplementedError

    def scalar(self, expression: Expression) -> Operand:
        """The operand of an expression that has one leaf."""
        return self.value(expression)[0]

    def l_value(self, expression: Expression) -> LValue:
        """The l-value of an expression, with its index expressions evaluated."""
        if isinstance(expression, Reference):
            if in_memory(expression.variable):
                return self.memory_root(expression.variable)
            return LValue(expression.variable, expression.type)
        if isinstance(expression, FieldOf):
            return self._field(self.l_value(expression.base), expression)
        if isinstance(expression, Swizzle):
            base = self.l_value(expression.base)
            chosen = base.components or (0, 1, 2, 3)
            return replace(base, type=expression.type, components=tuple(chosen[c] for c in expression.components))
        if isinstance(expression, IndexOf):
            return self._index(self.l_value(expression.base), expression)
        return LValue(None, expression.type, leaves=self.value(expression))

    def _field(self, base: LValue, expression: FieldOf) -> LValue:
        assert isinstance(base.type, StructType)
        if in_memory(base.variable):
            return self.memory_field(base, base.type, expression.index)
        if base.variable is not None and base.variable.block:
            return block_field(base, base.type, expression.index)
        skipped = sum(leaf_count(member.type) for member in base.type.fields[: expression.index])
        return replace(base, type=expression.type, offset=base.offset + skipped)

    def _index(self, base: LValue, expression: IndexOf) -> LValue:
        index = self.scalar(expression.index)
        constant_index = None
        if index.value.op == "IMM":
            constant_index = bits_of(index)[0]
            size = self._size(base.type)
            if size:
                constant_index = min(constant_index, size - 1) if constant_index < 2**31 else 0
        if in_memory(base.variable):
            return self.memory_element(base, expression.type, index, constant_index)
        if isinstance(base.type, BasicType) and not base.type.is_matrix:
            if constant_index is None:
                chosen = base.components or tuple(range(base.type.rows))
                return replace(base, type=expression.type, component=index, components=chosen)
            chosen = base.components or (0, 1, 2, 3)
            return replace(base, type=expression.type, components=(chosen[constant_index],))
        if base.variable is not None and base.variable.block:
            if rules(base).row_major and isinstance(base.type, BasicType):
                base = LValue(None, base.type, leaves=self.read(base, expression.line))
            else:
                return self.block_element(base, expression.type, index, constant_index)
        stride = leaf_count(expression.type)
        if constant_index is not None:
            return replace(base, type=expression.type, offset=base.offset + constant_index * stride)
        step = self.builder.alu("UMUL", index, self.builder.immediate(stride))
        if base.variable is None:
            end = base.offset + self._size(base.type) * stride
            picked = (self._pick(base.leaves[base.offset + i : end : stride], step, stride) for i in range(stride))
            return LValue(None, expression.type, leaves=tuple(picked))
        if base.dynamic is not None:
            step = self.builder.alu("UADD", base.dynamic, step)
        return replace(base, type=expression.type, dynamic=step)

    def _size(self, of: Type) -> int:
        if isinstance(of, ArrayType):
            return of.size
        assert isinstance(of, BasicType)
        return of.columns if of.is_matrix else of.rows

    def read(self, l_value: LValue, line: int) -> Leaves:
        """Operands of an l-value's current value."""
        if in_memory(l_value.variable):
            return self.read_memory(l_value)
        if l_value.variable is not None and l_value.variable.block:
            leaves = self.read_block(l_value)
            return leaves if l_value.components is None else (self._chosen(l_value, leaves[0]),)
        if l_value.components is None and l_value.component is None:
            return tuple(self._read_leaf(l_value, i, leaf, line) for i, leaf in enumerate(leaf_types(l_value.type)))
        return (self._chosen(l_value, self._read_leaf(l_value, 0, None, line)),)

    def _chosen(self, l_value: LValue, whole: Operand) -> Operand:
        """The components of a register that the l-value selects."""
        assert l_value.components is not None
        whole = self.builder.select(whole, l_value.components)
        if l_value.component is None:
            return whole
        result = self.builder.select(whole, (0,))
        for i in range(1, len(whole.swizzle)):
            chosen = self.builder.alu("USEQ", l_value.component, self.builder.immediate(i))
            result = self.builder.alu("UCMP", chosen, self.builder.select(whole, (i,)), result)
        return result

    def _read_leaf(self, l_value: LValue, i: int, leaf: BasicType | OpaqueType | None, line: int) -> Operand:
        """One register of an l-value; of full width if ``leaf`` is None."""
        offset, variable = l_value.offset + i, l_value.variable
        if variable is None:
            return l_value.leaves[offset]
        if variable.storage in ("uniform", "in"):
            return self._read_interface(variable, offset, l_value.dynamic, line)
        if variable in self.arrays:
            width = self._leaf_width(variable, offset)
            return self.load(self.arrays[variable], offset, width, l_value.dynamic)
        leaves = self._leaves(variable)
        if l_value.dynamic is None or self._takes_any(variable):
            return leaves[offset]
        if not isinstance(variable.type, BasicType):
            raise NeedsArray(variable)
        return self._pick(leaves, l_value.dynamic, 1)

    def _takes_any(self, variable: Variable) -> bool:
        """Whether any element of an array will do, since code is only estimated."""
        return self.estimates and not isinstance(variable.type, BasicType)

    def _leaves(self, variable: Variable) -> Leaves:
        if variable not in self.state:
            make = self.undefined_leaves if variable.value is None else self.leaves_from_bits
            self.state[variable] = make(variable)
        return self.state[variable]

    def _leaf_width(self, variable: Variable, offset: int) -> int:
        leaf = next(leaf for i, leaf in enumerate(leaf_types(variable.type)) if i == offset)
        return leaf.rows if isinstance(leaf, BasicType) else 1

    def _read_interface(self, variable: Variable, offset: int, dynamic: Operand | None, line: int) -> Operand:
        leaf = next(leaf for i, leaf in enumerate(leaf_types(variable.type)) if i == offset)
        if isinstance(leaf, OpaqueType):
            if dynamic is not None:
                self.fail(f"{variable.name}: a sampler chosen at run time can only be sampled", line)
            return self.builder.shared("SAMPLER", 1, (), (variable, offset))
        assert isinstance(leaf, BasicType)
        if variable.semantic in ("global_id", "local_index"):
            return self.derived_input(variable)
        op = "UNIFORM" if variable.storage == "uniform" else "INPUT"
        args = () if dynamic is None else (dynamic,)
        operand = self.builder.shared(op, leaf.rows, args, (variable, offset))
        if variable.semantic in ("face", "helper"):
            return self.builder.alu("FSLT", self.builder.immediate(0), operand)
        return operand

    def derived_input(self, variable: Variable) -> Operand:
        """An input of compute shaders that follows from others (ESSL 3.10, 7.1.3)."""
        b, (x, y, z) = self.builder, self.local_size
        local = b.shared("INPUT", 3, (), (self.inputs["local_id"], 0))
        if variable.semantic == "global_id":
            first = b.alu("UMUL", b.shared("INPUT", 3, (), (self.inputs["group_id"], 0)), b.immediate(x, y, z))
            return b.alu("UADD", first, local)
        parts = [b.select(local, (i,)) for i in range(3)]
        rows = b.alu("UADD", b.alu("UMUL", parts[2], b.immediate(y)), parts[1])
        return b.alu("UADD", b.alu("UMUL", rows, b.immediate(x)), parts[0])

    def opaque_root(self, place: LValue) -> tuple[Variable, int]:
        """The uniform that an image or its function parameter stands for, and its element."""
        variable, offset = self.read(place, 0)[0].value.data
        return variable, offset

    def samplers_from(self, l_value: LValue) -> Iterator[tuple[int, Operand]]:
        """The samplers of an l-value's type from its offset on, with their offsets in registers."""
        variable = l_value.variable
        assert variable is not None
        for i, leaf in enumerate(leaf_types(variable.type)):
            if i >= l_value.offset and leaf == l_value.type:
                if variable.storage == "uniform":
                    yield i - l_value.offset, self.builder.shared("SAMPLER", 1, (), (variable, i))
                else:
                    yield i - l_value.offset, self._leaves(variable)[i]

    def _pick(self, leaves: Leaves, dynamic: Operand, stride: int) -> Operand:
        """Select one of several registers by a chain of comparisons with multiples of ``stride``."""
        result = leaves[0]
        for i, leaf in enumerate(leaves[1:], 1):
            equal = self.builder.alu("USEQ", dynamic, self.builder.immediate(i * stride))
            result = self.builder.alu("UCMP", self.builder.select(equal, (0,) * len(leaf.swizzle)), leaf, result)
        return result

    def write(self, l_value: LValue, leaves: Leaves) -> None:
        """Change an l-value's value."""
        assert l_value.variable is not None
        variable = l_value.variable
        if in_memory(variable):
            self.write_memory(l_value, leaves)
            return
        if variable.storage == "out":
            self.written_at[variable] = self.builder.origin
        for i, leaf in enumerate(leaves):
            self._write_leaf(l_value, variable, l_value.offset + i, leaf)

    def _write_leaf(self, l_value: LValue, variable: Variable, offset: int, leaf: Operand) -> None:
        if variable in self.arrays:
            self._write_array(l_value, offset, leaf)
            return
        old = self._leaves(variable)
        if l_value.dynamic is None or self._takes_any(variable):
            new = self._combine(l_value, old[offset], leaf)
            self.state[variable] = (*old[:offset], new, *old[offset + 1 :])
            return
        if not isinstance(variable.type, BasicType):
            raise NeedsArray(variable)
        columns = []
        for column, present in enumerate(old):
            equal = self.builder.alu("USEQ", l_value.dynamic, self.builder.immediate(column))
            wide = self.builder.select(equal, (0,) * len(present.swizzle))
            columns.append(self.builder.alu("UCMP", wide, self._combine(l_value, present, leaf), present))
        self.state[variable] = tuple(columns)

    def _write_array(self, l_value: LValue, offset: int, leaf: Operand) -> None:
        assert l_value.variable is not None
        array = self.arrays[l_value.variable]
        if l_value.component is not None:
            width = self._leaf_width(l_value.variable, offset)
            present = self.load(array, offset, width, l_value.dynamic)
            leaf = self._combine(l_value, present, leaf)
            components = tuple(range(width))
        else:
            components = l_value.components or tuple(range(len(leaf.swizzle)))
        self.store(array, offset, leaf, components, l_value.dynamic)

    def _combine(self, l_value: LValue, old: Operand, new: Operand) -> Operand:
        """``old`` with the components that the l-value selects replaced from ``new``."""
        if l_value.components is None and l_value.component is None:
            return new
        chosen = l_value.components or tuple(range(len(old.swizzle)))
        parts = [self.builder.select(old, (c,)) for c in range(len(old.swizzle))]
        for position, component in enumerate(chosen):
            if l_value.component is None:
                parts[component] = self.builder.select(new, (position,))
            else:
                equal = self.builder.alu("USEQ", l_value.component, self.builder.immediate(position))
                parts[component] = self.builder.alu("UCMP", equal, new, parts[component])
        return self.builder.vector(parts)
