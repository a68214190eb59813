"""Instructions to operations on rows."""

from collections.abc import Sequence

import numpy as np

from ...glsl.ir.program import Destination, File, Instruction, Shader, Source
from . import kernels
from .arithmetic import arithmetic
from .indirect import gather, load_address, scatter
from .kernels import Operation
from .layout import Layout
from .texture import texture_operation

_RESULT, _OPERAND, _SUM = 0, 4, 7


class Translator:
    """Translates the instructions of a shader in order.

    ``uniform`` holds the temporaries and address registers whose value is the same in all lanes.
    """

    def __init__(self, shader: Shader, layout: Layout) -> None:
        self.shader = shader
        self.layout = layout
        self.uniform: set[tuple[File, int, int]] = set()
        self.all_wide = any(
            operand.indirect is not None and operand.file is File.TEMPORARY
            for instruction in shader.instructions
            for operand in (*instruction.sources, instruction.destination)
            if operand is not None
        )

    def widen(self, registers: set[tuple[File, int, int]]) -> list[Operation]:
        """Keep these registers in wide rows from here on, whatever they hold now."""
        operations = []
        for key in sorted(registers & self.uniform, key=lambda k: (k[0].value, *k[1:])):
            operations.append(kernels.copy(self._row(key, False), self._row(key, True)))
            self.uniform.discard(key)
        return operations

    def _row(self, key: tuple[File, int, int], uniform: bool) -> int:
        if key[0] is File.ADDRESS:
            return self.layout.address(key[2], uniform)
        return self.layout.temporary(key[1], key[2], uniform)

    def _is_uniform(self, source: Source, component: int) -> bool:
        if source.indirect is not None:
            return False
        if source.file in (File.CONSTANT, File.IMMEDIATE):
            return True
        return (source.file, source.index, component) in self.uniform

    def _read(self, source: Source, component: int) -> int:
        """Row of a source's component, modifiers not applied."""
        if source.file in (File.TEMPORARY, File.ADDRESS):
            key = (source.file, source.index, component)
            return self._row(key, key in self.uniform)
        return self.layout.outside(source.file, source.index, component)

    def instruction(self, pc: int, inside_flow: bool, masked: bool) -> list[Operation]:
        """Operations of one instruction.

        Parameters
        ----------
        inside_flow : bool
            Whether results are wide, whatever they come from.
        masked : bool
            Whether results are written only in executing lanes.
        """
        instruction = self.shader.instructions[pc]
        destination = instruction.destination
        assert destination is not None
        if instruction.info.shape == "address":
            return self._address(instruction, destination, inside_flow, masked)
        components = destination.components
        uniform = not inside_flow and self._result_is_uniform(instruction)
        direct = not masked and destination.indirect is None
        targets = [self._target(destination, c, uniform) for c in components] if direct else []
        staged = not direct or not self._in_order(instruction, components)
        rows = [self.layout.scratch(_RESULT + c, uniform) for c in components] if staged else targets
        operations = self._compute(pc, instruction, components, rows, uniform)
        if destination.saturate:
            operations += [kernels.saturate(row) for row in rows]
        if staged:
            operations += self._deliver(destination, components, rows, uniform, masked)
        self._note(destination, components, uniform)
        return operations

    def _in_order(self, instruction: Instruction, components: Sequence[int]) -> bool:
        """Whether computing the components one after the other never overwrites what is still needed.

        Everything but component-wise operations reads its operands before it writes.
        """
        destination = instruction.destination
        if instruction.info.shape != "component" or destination is None:
            return True
        for number, source in enumerate(instruction.sources):
            if (source.file, source.index) != (destination.file, destination.index):
                continue
            for position, component in enumerate(components):
                later = {source.swizzle[c] for c in components[position + 1 :]}
                # A selection copies its last operand first, so the second one must not be there.
                is_second = instruction.opcode == "UCMP" and number == 1
                chosen = is_second and source.swizzle[component] == component
                if component in later or chosen:
                    return False
        return True

    def _target(self, destination: Destination, component: int, uniform: bool) -> int:
        if destination.file is File.OUTPUT:
            return self.layout.outside(File.OUTPUT, destination.index, component)
        return self.layout.temporary(destination.index, component, uniform)

    def _result_is_uniform(self, instruction: Instruction) -> bool:
        destination = instruction.destination
        assert destination is not None
        if destination.file is not File.TEMPORARY or destination.indirect or self.all_wide:
            return False
        if instruction.info.shape == "texture" or instruction.opcode in ("DDX", "DDY"):
            return False
        return all(
            self._is_uniform(source, source.swizzle[p])
            for source in instruction.sources
            for p in _positions(instruction)
        )

    def _note(self, destination: Destination, components: Sequence[int], uniform: bool) -> None:
        if destination.file is File.TEMPORARY and destination.indirect is None:
            keys = {(File.TEMPORARY, destination.index, c) for c in components}
            self.uniform = self.uniform | keys if uniform else self.uniform - keys

    def _deliver(
        self,
        destination: Destination,
        components: Sequence[int],
        rows: list[int],
        uniform: bool,
        masked: bool,
    ) -> list[Operation]:
        if destination.indirect is not None:
            address = self._address_row(destination.indirect.component)
            return [
                scatter(destination.index, component, address, row, self.shader.temporary_count)
                for component, row in zip(components, rows, strict=True)
            ]
        copy = kernels.copy_where_active if masked else kernels.copy
        return [copy(self._target(destination, c, uniform), r) for c, r in zip(components, rows, strict=True)]

    def _address_row(self, component: int) -> int:
        return self.layout.address(component, (File.ADDRESS, 0, component) in self.uniform)

    def _address(
        self, instruction: Instruction, destination: Destination, inside_flow: bool, masked: bool
    ) -> list[Operation]:
        component = destination.components[0]
        source = instruction.sources[0]
        uniform = not inside_flow and self._is_uniform(source, source.swizzle[0])
        operations, row = self._operand(source, source.swizzle[0], 0)
        operations.append(load_address(self.layout.address(component, uniform), row, masked))
        key = (File.ADDRESS, 0, component)
        self.uniform = self.uniform | {key} if uniform else self.uniform - {key}
        return operations

    def _operand(self, source: Source, component: int, number: int, plain: bool = False) -> tuple[list[Operation], int]:
        """Row of an operand, with the operations that compute it."""
        operations: list[Operation] = []
        if source.indirect is not None:
            row = self.layout.scratch(_OPERAND + number, False)
            address = self._address_row(source.indirect.component)
            operations.append(gather(source.file, source.index, component, address, row))
            modified = row
        else:
            row = self._read(source, component)
            modified = self.layout.scratch(_OPERAND + number, self._is_uniform(source, component))
        if plain or not (source.negate or source.absolute):
            return operations, row
        if source.absolute:
            operations.append(kernels.unary(np.abs, modified, row))
            row = modified
        if source.negate:
            operations.append(kernels.unary(np.negative, modified, row))
        return operations, modified

    def _compute(
        self, pc: int, instruction: Instruction, components: Sequence[int], rows: list[int], uniform: bool
    ) -> list[Operation]:
        shape = instruction.info.shape
        if shape == "texture":
            operands = []
            operations: list[Operation] = []
            for source in instruction.sources:
                for c in range(4):
                    extra, row = self._operand(source, source.swizzle[c], 0)
                    operations += extra
                    operands.append(row)
                    if extra:
                        operations.append(kernels.copy(self.layout.scratch(_RESULT + c, False), row))
                        operands[-1] = self.layout.scratch(_RESULT + c, False)
            return [*operations, texture_operation(pc, instruction, operands, rows, components)]
        if shape.startswith("dot"):
            operations = self._dot(instruction, rows[0], uniform)
        elif shape == "replicate":
            operations = self._component(instruction, 0, rows[0], uniform)
        else:
            return [
                operation
                for component, row in zip(components, rows, strict=True)
                for operation in self._component(instruction, component, row, uniform)
            ]
        return operations + [kernels.copy(row, rows[0]) for row in rows[1:]]

    def _dot(self, instruction: Instruction, row: int, uniform: bool) -> list[Operation]:
        count = int(instruction.info.shape[3])
        a, b = instruction.sources
        operations: list[Operation] = []
        total = self.layout.scratch(_SUM, uniform)
        term = self.layout.scratch(_SUM + 1, uniform)
        if a.absolute or b.absolute or a.indirect or b.indirect:
            return self._dot_by_terms(instruction, row, uniform, count)
        pairs = [(self._read(a, a.swizzle[i]), self._read(b, b.swizzle[i])) for i in range(count)]
        operands = {r for pair in pairs for r in pair}
        out = total if row in operands else row
        left, right = [p[0] for p in pairs], [p[1] for p in pairs]
        operations.append(kernels.dot(out, left, right, term, a.negate != b.negate))
        return operations if out == row else [*operations, kernels.copy(row, out)]

    def _dot_by_terms(self, instruction: Instruction, row: int, uniform: bool, count: int) -> list[Operation]:
        """A dot product whose operands must be prepared term by term."""
        total, term = self.layout.scratch(_SUM, uniform), self.layout.scratch(_SUM + 1, uniform)
        operations: list[Operation] = []
        for i in range(count):
            x_operations, x = self._operand(instruction.sources[0], instruction.sources[0].swizzle[i], 0)
            y_operations, y = self._operand(instruction.sources[1], instruction.sources[1].swizzle[i], 1)
            operations += x_operations + y_operations
            operations.append(kernels.binary(np.multiply, term if i else total, x, y))
            if i:
                operations.append(kernels.binary(np.add, total, total, term))
        return [*operations, kernels.copy(row, total)]

    def _component(self, instruction: Instruction, component: int, row: int, uniform: bool) -> list[Operation]:
        """One component of a component-wise or replicating instruction."""
        opcode, sources = instruction.opcode, instruction.sources
        signed = opcode in ("ADD", "MUL", "MAD") and not any(s.absolute for s in sources)
        operations: list[Operation] = []
        operands = []
        for number, source in enumerate(sources):
            extra, operand = self._operand(source, source.swizzle[component], number, signed)
            operations += extra
            operands.append(operand)
        scratch = self.layout.scratch(_SUM, uniform)
        if opcode == "UCMP":
            return [*operations, self._selection(instruction, component, row, operands)]
        negated = [signed and s.negate for s in sources]
        return operations + arithmetic(instruction.opcode, row, operands, negated, scratch, uniform)

    def _selection(self, instruction: Instruction, component: int, row: int, operands: list[int]) -> Operation:
        """A selection; components with the condition of the component before use its flags again."""
        condition, destination = instruction.sources[0], instruction.destination
        narrow = all(self._is_uniform(condition, c) for c in set(condition.swizzle))
        before = [c for c in destination.components if c < component] if destination else []
        again = bool(before) and condition.swizzle[before[-1]] == condition.swizzle[component]
        return kernels.select(row, operands, narrow, again and condition.indirect is None)

    def condition(self, source: Source) -> tuple[list[Operation], int]:
        """Row of a UIF's or KILL_IF's operand component."""
        return self._operand(source, source.swizzle[0], 0)


def _positions(instruction: Instruction) -> tuple[int, ...]:
    """Swizzle positions that matter for the result."""
    shape = instruction.info.shape
    if shape == "component" and instruction.destination is not None:
        return instruction.destination.components
    return tuple(range(int(shape[3]))) if shape.startswith("dot") else (0,)
