"""Statements of programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from .kinds import INT, NOTHING, WORD, Array, Record, Tables, Tuple
from .memory import Place
from .scope import Scope, contains_array
from .values import NONE, CannotTranslate, PythonObject, Value, constant

if TYPE_CHECKING:
    pass


class Statements(Scope):
    """Statements of one function.

    Parameters are those of `Scope`.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._loops: list[tuple[ir.Block, ir.Block]] = []

    def looping(self) -> bool:
        """Whether the statement may be executed several times."""
        return bool(self._loops)

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """Translate the statements of the function."""
        self.run(statements)
        if not self.builder.block.is_terminated:
            if self.kinds.setdefault("return", NOTHING) is NOTHING:
                self.leave(None)
            else:
                self.builder.unreachable()

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """Translate some statements; those behind a `return`, `break` or `continue` are never executed."""
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            self.functions.at(statement)
            translate: Any = getattr(self, f"_{type(statement).__name__}", None)
            if translate is None:
                raise CannotTranslate(f"programs have no {type(statement).__name__} statements")
            translate(statement)

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _Pass(self, _: ast.Pass) -> None:
        pass

    def _Assign(self, node: ast.Assign) -> None:
        (target, *others) = node.targets
        if not others and isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            values = [self.value(each) for each in node.value.elts]
            for each, value in zip(target.elts, values, strict=True):
                self._store(each, value)
            return
        value = self.value(node.value)
        for target in node.targets:
            self._store(target, value)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._store(node.target, self.value(node.value))

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value.kind, Tuple | Tables) or len(value.kind.members) != len(target.elts):
                raise CannotTranslate(f"a {value.kind.name} has not {len(target.elts)} members")
            for k, each in enumerate(target.elts):
                self._store(each, self.item(value, k))
        elif isinstance(target, ast.Subscript) and _has_slice(target):
            self.assign_all(self.value(target), value)
        else:
            self.write(self._place(target), value)

    def _place(self, target: ast.expr) -> Place:
        """Place of a field or an element."""
        if isinstance(target, ast.Attribute):
            owner = self.value(target.value)
            if isinstance(owner.kind, Record):
                return self.field(owner, target.attr)
            raise CannotTranslate(f"{target.attr} of a {owner.kind.name} cannot be written")
        if isinstance(target, ast.Subscript):
            slices = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
            element = self.element(self.value(target.value), [self.value(each) for each in slices])
            if isinstance(element, Place):
                return element
            raise CannotTranslate(f"a {element.kind.name} cannot be written as a whole")
        raise CannotTranslate(f"programs have no {type(target).__name__} targets")

    def _AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            variable = self.variable(node.target.id)
            if variable is None:
                raise CannotTranslate(f"{node.target.id} has no value yet")
            self.assign(node.target.id, self.binary(node.op, variable, self.value(node.value)))
            return
        place = self._place(node.target)
        before = self.read(place)
        self.write(place, self.binary(node.op, before, self.value(node.value)))

    def _Return(self, node: ast.Return) -> None:
        nothing = node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None
        value = NONE if nothing or node.value is None else self.value(node.value)
        if contains_array(value.kind):
            self.outline.note("returns_arrays")
        self.hold("return", value.kind)
        self.leave(None if value.kind is NOTHING else self.convert(value, self.kinds["return"]).ir)

    def _Raise(self, node: ast.Raise) -> None:
        if not (isinstance(node.exc, ast.Name) and node.exc.id == "MemoryError"):
            raise CannotTranslate("programs raise no exception but MemoryError")
        self.outline.note("fails")
        self.leave(None, failed=True)

    def _If(self, node: ast.If) -> None:
        yes, merge = self.builder.append_basic_block(), self.builder.append_basic_block()
        no = self.builder.append_basic_block() if node.orelse else merge
        self.branch(node.test, yes, no)
        for block, statements in ((yes, node.body), (no, node.orelse)):
            if block is not merge:
                self.builder.position_at_end(block)
                self.run(statements)
                self._go(merge)
        self.builder.position_at_end(merge)

    def _go(self, block: ir.Block) -> None:
        if not self.builder.block.is_terminated:
            self.builder.branch(block)

    def _While(self, node: ast.While) -> None:
        test, body, after = (self.builder.append_basic_block() for _ in range(3))
        self.builder.branch(test)
        self.builder.position_at_end(test)
        self.branch(node.test, body, after)
        self.builder.position_at_end(body)
        self._within(node.body, test, after)
        self._go(test)
        self._finish(node, after)

    def _within(self, statements: Sequence[ast.stmt], following: ir.Block, after: ir.Block) -> None:
        """Statements of a loop."""
        self._loops.append((following, after))
        self.run(statements)
        self._loops.pop()

    def _finish(self, node: ast.While | ast.For, after: ir.Block) -> None:
        if node.orelse:
            raise CannotTranslate("programs have no else of loops")
        self.builder.position_at_end(after)

    def _For(self, node: ast.For) -> None:
        if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name):
            called = self.translate(node.iter.func)
            if isinstance(called, PythonObject) and called.object is range and not node.iter.keywords:
                self._count(node, [self.value(each) for each in node.iter.args])
                return
        iterated = self.translate(node.iter)
        if isinstance(iterated, Value) and isinstance(iterated.kind, Array):
            self._each(node, iterated)
            return
        after = self.builder.append_basic_block()
        for value in self.members(node.iter):
            following = self.builder.append_basic_block()
            self._store(node.target, value)
            self._within(node.body, following, after)
            self._go(following)
            self.builder.position_at_end(following)
        self._go(after)
        self._finish(node, after)

    def _each(self, node: ast.For, array: Value) -> None:
        """A loop over the rows of an array."""

        def row(at: Value) -> Value:
            element = self.element(array, [at])
            return self.read(element) if isinstance(element, Place) else element

        self._repeat(node, [self.length(array)], row)

    def _count(self, node: ast.For, bounds: Sequence[Value]) -> None:
        """A loop over a range."""
        self._repeat(node, bounds, lambda at: at)

    def _repeat(self, node: ast.For, bounds: Sequence[Value], value: Callable[[Value], Value]) -> None:
        """A loop with a value for each number of a range."""
        start, end, step = [constant(0), *bounds, constant(1)] if len(bounds) == 1 else [*bounds, constant(1)][:3]
        b = self.builder
        test, body, following, after = (b.append_basic_block() for _ in range(4))
        first, last, by = (self.convert(bound, INT).ir for bound in (start, end, step))
        before = b.block
        b.branch(test)
        b.position_at_end(test)
        at = b.phi(WORD)
        at.add_incoming(first, before)
        b.cbranch(self._goes_on(at, last, step), body, after)
        b.position_at_end(body)
        self._store(node.target, value(Value(INT, at)))
        self._within(node.body, following, after)
        self._go(following)
        b.position_at_end(following)
        at.add_incoming(b.add(at, by, flags=("nsw",)), following)
        b.branch(test)
        self._finish(node, after)

    def _goes_on(self, at: Any, last: Any, step: Value) -> Any:
        """Whether a number is before the end of a range."""
        b = self.builder
        if step.constant is not None:
            return b.icmp_signed("<" if step.constant > 0 else ">", at, last)
        up = b.icmp_signed(">", self.convert(step, INT).ir, ir.Constant(WORD, 0))
        return b.select(up, b.icmp_signed("<", at, last), b.icmp_signed(">", at, last))

    def _Break(self, _: ast.Break) -> None:
        self.builder.branch(self._loops[-1][1])

    def _Continue(self, _: ast.Continue) -> None:
        self.builder.branch(self._loops[-1][0])


def _has_slice(target: ast.Subscript) -> bool:
    indices = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    return any(isinstance(each, ast.Slice) for each in indices)
