"""Scope of a function of a program: variables, memory, and ways to end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from .calls import Calls
from .kinds import BIT, BYTE, NOTHING, POINTER, WORD, Array, Kind, Tables, Tuple, common
from .outline import Outline, OutlineChanged
from .values import CannotTranslate, Value

if TYPE_CHECKING:
    from .functions import Functions

ALIGNMENT = 16
"""Of arrays on the stack, in bytes; the C library's memory has it, too."""
HEAD_BYTES = 16
"""Of memory that a function frees: the address of the next such memory, and nothing, to keep it aligned."""


class Scope(Calls):
    """Variables and memory of one function.

    Parameters
    ----------
    builder
        At the first block of the function.
    functions
        All functions of the program.
    names
        Objects that the text can name.
    outline
        Facts about the function; completed here.
    heap
        Address of the caller's memory, if the function makes arrays that last until its caller returns.
    """

    def __init__(
        self, builder: ir.IRBuilder, functions: Functions, names: Callable[[str], Any], outline: Outline, heap: Any
    ) -> None:
        super().__init__(builder, functions, names)
        self.outline, self.kinds = outline, outline.kinds
        self._heap = heap
        self._entry = builder.block
        self._variables: dict[str, Any] = {}
        if outline.allocates and heap is None:
            self._heap = builder.alloca(POINTER)
            builder.store(ir.Constant(POINTER, None), self._heap)

    def looping(self) -> bool:
        """Whether the statement may be executed several times."""
        raise NotImplementedError

    def variable(self, name: str) -> Value | None:
        """Value of a variable."""
        if name not in self._variables:
            return None
        kind = self.kinds[name]
        return Value(kind, self.builder.load(self._variables[name], typ=kind.llvm))

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value.

        Raises
        ------
        OutlineChanged
            If it had a kind that does not hold the value.
        """
        self.hold(name, value.kind)
        if name not in self._variables:
            self._variables[name] = self.on_stack(self.kinds[name].llvm)
        self.builder.store(self.convert(value, self.kinds[name]).ir, self._variables[name])

    def hold(self, name: str, kind: Kind) -> None:
        """Have a variable, or the result, of a kind that holds another."""
        before = self.kinds.setdefault(name, kind)
        wider = common([before, kind])
        if wider is None:
            raise CannotTranslate(f"{name} was a {before.name}, and here a {kind.name}")
        if wider is not before:
            self.kinds[name] = wider
            raise OutlineChanged

    def leave(self, result: Any, failed: bool = False) -> None:
        """End the function, with its result if it has one."""
        if self.outline.allocates and not self.outline.hands_on:
            self.functions.free_all(self.builder, self.builder.load(self._heap, typ=POINTER))
        if not self.outline.fails:
            self.builder.ret_void() if result is None else self.builder.ret(result)
            return
        if "return" not in self.kinds:
            self.outline.unfinished = True
            self.builder.unreachable()
            return
        returned = ir.Constant(self.outline.returned, ir.Undefined)
        returned = self.builder.insert_value(returned, ir.Constant(BIT, int(failed)), 0)
        self.builder.ret(returned if result is None else self.builder.insert_value(returned, result, 1))

    def fail_if(self, condition: Any) -> None:
        """End the function as failed if a bit is set."""
        self.outline.note("fails")
        failing, following = (self.builder.append_basic_block() for _ in range(2))
        self.builder.cbranch(condition, failing, following).set_weights([1, 1 << 20])
        self.builder.position_at_end(failing)
        self.leave(None, failed=True)
        self.builder.position_at_end(following)

    def call(self, function: FunctionType, arguments: Sequence[Value], inlined: bool) -> Value:
        """Result of another function, with which this one fails."""
        called = self.functions.translated(function, tuple(each.kind for each in arguments), inlined)
        if called.hands_on:
            self.outline.note("creates")
            self.outline.note("allocates")
        heap = [self._heap] * called.hands_on
        returned = self.builder.call(called.function, [*(each.ir for each in arguments), *heap])
        if not called.fails:
            return Value(called.result, returned)
        self.fail_if(self.builder.extract_value(returned, 0))
        return Value(called.result, None if called.result is NOTHING else self.builder.extract_value(returned, 1))

    def on_stack(self, kind: ir.Type, count: int = 0) -> Any:
        """Room on the stack until the function returns: for a value, or for an array of some values."""
        with self.builder.goto_block(self._entry):
            self.builder.position_at_start(self._entry)
            room = self.builder.alloca(ir.ArrayType(kind, count) if count else kind)
        if count:
            # A pointer to any elements, as to other arrays.
            room.align, room.type = ALIGNMENT, POINTER
        return room

    def on_heap(self, size_bytes: Any) -> Any:
        """Memory of the C library that is freed when the function returns."""
        self.outline.note("allocates")
        b = self.builder
        memory = self.functions.malloc(b, b.add(size_bytes, ir.Constant(WORD, HEAD_BYTES)))
        self.fail_if(b.icmp_unsigned("==", memory, ir.Constant(POINTER, None)))
        b.store(b.load(self._heap, typ=POINTER), memory)
        b.store(memory, self._heap)
        return b.gep(memory, [ir.Constant(WORD, HEAD_BYTES)], source_etype=BYTE)

    def lasting(self) -> bool:
        """Whether arrays that are made here need memory of their own: a loop makes several, a result has them."""
        self.outline.note("creates")
        return self.looping() or self.outline.hands_on


def contains_array(kind: Kind) -> bool:
    """Whether there are arrays in values of a kind."""
    return isinstance(kind, Array) or (isinstance(kind, Tuple | Tables) and any(map(contains_array, kind.members)))
