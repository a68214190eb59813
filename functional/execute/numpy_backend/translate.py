"""Instructions to operations on rows."""

from collections.abc import Collection, Sequence

import numpy as np

from ...glsl.ir.opcodes import ADDRESSING
from ...glsl.ir.program import Destination, File, Instruction, Shader, Source
from . import kernels, memory
from .indirect import gather, scatter
from .kernels import Operation
from .layout import Key, Layout
from .texture import texture_operation

MEMORY_SHAPES = (*ADDRESSING, "barrier")
_RESULT, _OPERAND, _SUM = 0, 4, 8


class Translator:
    """Translates the instructions of a shader in order.

    ``uniform`` holds the temporaries and address registers whose value is the same in all lanes.
    """

    def __init__(self, shader: Shader, layout: Layout) -> None:
        self.shader = shader
        self.layout = layout
        self.uniform: set[Key] = set()
        self.all_wide = any(
            operand.indirect is not None and operand.file is File.TEMPORARY
            for instruction in shader.instructions
            for operand in (*instruction.sources, instruction.destination)
            if operand is not None
        )

    def widen(self, registers: Collection[Key]) -> list[Operation]:
        """Keep these registers in wide rows from here on, whatever they hold now."""
        keys = [key for key in registers if key in self.uniform]
        self.uniform -= set(keys)
        return [kernels.copy(self._row(key, False), self._row(key, True)) for key in keys]

    def _row(self, key: Key, uniform: bool) -> int:
        if key.file is File.ADDRESS:
            return self.layout.address(key.component, uniform)
        return self.layout.temporary(key.register, key.component, uniform)

    def _is_uniform(self, source: Source, component: int) -> bool:
        if source.indirect is not None:
            return False
        if source.file in (File.CONSTANT, File.IMMEDIATE):
            return True
        return Key(source.file, source.index, component) in self.uniform

    def _read(self, source: Source, component: int) -> int:
        """Row of a source's component, modifiers not applied."""
        key = Key(source.file, source.index, component)
        if source.file in (File.TEMPORARY, File.ADDRESS):
            return self._row(key, key in self.uniform)
        return self.layout.place(*key)

    def instruction(self, pc: int, inside_flow: bool) -> list[Operation]:
        """Operations of one instruction.

        Parameters
        ----------
        inside_flow : bool
            Whether results are wide, whatever they come from, and written only in executing lanes.
        """
        instruction = self.shader.instructions[pc]
        destination = instruction.destination
        assert destination is not None
        components = destination.components
        uniform = not inside_flow and self._result_is_uniform(instruction, destination)
        staged = inside_flow or destination.indirect is not None or not self._in_order(instruction, destination)
        scratch = [self.layout.scratch(_RESULT + c, uniform) for c in components]
        rows = scratch if staged else [self._target(destination, c, uniform) for c in components]
        operations = self._compute(pc, instruction, components, rows, uniform)
        if destination.saturate:
            operations += [kernels.saturate(row) for row in rows]
        if staged:
            operations += self._deliver(destination, rows, uniform, inside_flow)
        if destination.file is not File.OUTPUT and destination.indirect is None:
            keys = {Key(destination.file, destination.index, c) for c in components}
            self.uniform = self.uniform | keys if uniform else self.uniform - keys
        return operations

    def _in_order(self, instruction: Instruction, destination: Destination) -> bool:
        """Whether computing the components one after the other never overwrites what is still needed.

        Everything but component-wise operations reads its operands before it writes.
        """
        place, components = (destination.file, destination.index), destination.components
        own = [s for s in instruction.sources if s.indirect or (s.file, s.index) == place]
        return instruction.info.shape != "component" or not any(
            c in (source.swizzle[later] for later in components[i + 1 :])
            for i, c in enumerate(components)
            for source in own
        )

    def _target(self, destination: Destination, component: int, uniform: bool) -> int:
        key = Key(destination.file, destination.index, component)
        return self.layout.place(*key) if destination.file is File.OUTPUT else self._row(key, uniform)

    def _result_is_uniform(self, instruction: Instruction, destination: Destination) -> bool:
        if destination.file is File.OUTPUT or destination.indirect:
            return False
        if destination.file is File.TEMPORARY and self.all_wide:
            return False
        if instruction.info.shape in ("texture", *MEMORY_SHAPES) or instruction.opcode in ("DDX", "DDY"):
            return False
        return all(
            self._is_uniform(source, source.swizzle[p])
            for source in instruction.sources
            for p in _positions(instruction)
        )

    def _deliver(self, destination: Destination, rows: list[int], uniform: bool, inside_flow: bool) -> list[Operation]:
        placed = list(zip(destination.components, rows, strict=True))
        if destination.indirect is not None:
            address, count = self._address_row(destination.indirect.component), self.shader.temporary_count
            return [scatter(destination.index, c, address, row, count) for c, row in placed]
        copy = kernels.copy_where_active if inside_flow else kernels.copy
        return [copy(self._target(destination, c, uniform), row) for c, row in placed]

    def _address_row(self, component: int) -> int:
        return self.layout.address(component, Key(File.ADDRESS, 0, component) in self.uniform)

    def _operand(self, source: Source, component: int, number: int) -> tuple[list[Operation], int]:
        """Row of an operand, with the operations that compute it."""
        operations: list[Operation] = []
        modified = self.layout.scratch(_OPERAND + number, self._is_uniform(source, component))
        if source.indirect is not None:
            row = modified
            address = self._address_row(source.indirect.component)
            operations.append(gather(source.file, source.index, component, address, row))
        else:
            row = self._read(source, component)
        if source.absolute:
            operations.append(kernels.in_place(np.abs, modified, [row]))
            row = modified
        if source.negate:
            operations.append(kernels.in_place(np.negative, modified, [row]))
            row = modified
        return operations, row

    def _compute(
        self, pc: int, instruction: Instruction, components: Sequence[int], rows: list[int], uniform: bool
    ) -> list[Operation]:
        shape = instruction.info.shape
        if shape == "component":
            return [
                operation
                for component, row in zip(components, rows, strict=True)
                for operation in self._component(instruction, component, row, uniform)
            ]
        if shape == "texture":
            return self._texture(pc, instruction, components, rows)
        if shape in MEMORY_SHAPES:
            return self._access(pc, instruction, components, rows)
        if shape.startswith("dot"):
            operations = self._dot(instruction, rows[0], uniform)
        else:
            operations = self._component(instruction, 0, rows[0], uniform)
        return operations + [kernels.copy(row, rows[0]) for row in rows[1:]]

    def _texture(
        self, pc: int, instruction: Instruction, components: Sequence[int], rows: list[int]
    ) -> list[Operation]:
        operations, operands = self._vectors(instruction)
        return [*operations, texture_operation(pc, instruction, operands, rows, components)]

    def _vectors(self, instruction: Instruction) -> tuple[list[Operation], list[int]]:
        """Rows of all four components of every operand, with the operations that compute them."""
        operands = []
        operations: list[Operation] = []
        for source in instruction.sources:
            for c in range(4):
                extra, row = self._operand(source, source.swizzle[c], 0)
                operations += extra
                operands.append(row)
                if extra:
                    operands[-1] = self.layout.scratch(_RESULT + c, False)
                    operations.append(kernels.copy(operands[-1], row))
        return operations, operands

    def memory(self, pc: int, inside_flow: bool) -> list[Operation]:
        """Operations of an instruction on memory."""
        instruction = self.shader.instructions[pc]
        if instruction.destination is not None:
            return self.instruction(pc, inside_flow)
        if instruction.info.shape == "barrier":
            return [memory.nothing]
        operations, operands = self._vectors(instruction)
        act = memory.store(pc, instruction, operands) if instruction.info.shape == "store" else None
        return [*operations, act or memory.atomic(pc, instruction, operands, ())]

    def _access(self, pc: int, instruction: Instruction, components: Sequence[int], rows: list[int]) -> list[Operation]:
        """An instruction on memory with a result."""
        operations, operands = self._vectors(instruction)
        shape = instruction.info.shape
        if shape == "load":
            return [*operations, memory.load(pc, instruction, operands, rows, components)]
        if shape == "size":
            return [memory.size(instruction, rows, components)]
        return [*operations, memory.atomic(pc, instruction, operands, rows)]

    def _operands(self, sources: Sequence[Source], position: int) -> tuple[list[Operation], list[int]]:
        """Rows of the operands at one position, with the operations that compute them."""
        of_each = [self._operand(source, source.swizzle[position], i) for i, source in enumerate(sources)]
        return [operation for extra, _ in of_each for operation in extra], [row for _, row in of_each]

    def _dot(self, instruction: Instruction, row: int, uniform: bool) -> list[Operation]:
        """A dot product, term by term."""
        count = int(instruction.info.shape[3])
        terms = [self._operands(instruction.sources, i) for i in range(count)]
        total, product = self.layout.scratch(_SUM, uniform), self.layout.scratch(_SUM + 1, uniform)
        if not any(row in rows for _, rows in terms[1:]) and not any(s.indirect for s in instruction.sources):
            total = row
        operations: list[Operation] = []
        for i, (extra, rows) in enumerate(terms):
            operations += [*extra, kernels.in_place(np.multiply, product if i else total, rows)]
            if i:
                operations.append(kernels.in_place(np.add, total, [total, product]))
        return operations if total == row else [*operations, kernels.copy(row, total)]

    def _component(self, instruction: Instruction, component: int, row: int, uniform: bool) -> list[Operation]:
        """One component of an instruction of arithmetic."""
        operations, rows = self._operands(instruction.sources, component)
        if instruction.opcode != "MAD":
            return [*operations, kernels.arithmetic(instruction.opcode, row, rows)]
        product = self.layout.scratch(_SUM, uniform)
        operations.append(kernels.in_place(np.multiply, product, rows[:2]))
        return [*operations, kernels.in_place(np.add, row, [product, rows[2]])]

    def condition(self, source: Source) -> tuple[list[Operation], int]:
        """Row of a UIF's or KILL_IF's operand component."""
        return self._operand(source, source.swizzle[0], 0)


def _positions(instruction: Instruction) -> tuple[int, ...]:
    """Swizzle positions that matter for the result."""
    shape = instruction.info.shape
    if shape == "component" and instruction.destination is not None:
        return instruction.destination.components
    return tuple(range(int(shape[3]))) if shape.startswith("dot") else (0,)
