"""Statements of programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from .calls import Calls
from .kinds import INT, NOTHING, WORD, Kind, Record, Tables, Tuple, common
from .memory import Place
from .values import NONE, CannotTranslate, PythonObject, Value, constant

if TYPE_CHECKING:
    from .functions import Functions


class WiderKind(Exception):
    """A variable, or the result, turned out to hold more than the code so far has room for."""


class Statements(Calls):
    """Statements of one function.

    Parameters
    ----------
    builder
        At the first block of the function.
    functions
        All functions of the program.
    names
        Objects that the text can name.
    kinds
        Of variables, by name, and of the result, "return", as far as they are known; completed here.
    """

    def __init__(
        self, builder: ir.IRBuilder, functions: Functions, names: Callable[[str], Any], kinds: dict[str, Kind]
    ) -> None:
        super().__init__(builder, functions, names)
        self.kinds = kinds
        self._entry = builder.block
        self._variables: dict[str, Any] = {}
        self._loops: list[tuple[ir.Block, ir.Block]] = []

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """Translate the statements of the function."""
        self.run(statements)
        if not self.builder.block.is_terminated:
            if self.kinds.setdefault("return", NOTHING) is NOTHING:
                self.builder.ret_void()
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
        WiderKind
            If it had a kind that does not hold the value.
        """
        self._hold(name, value.kind)
        if name not in self._variables:
            with self.builder.goto_block(self._entry):
                self.builder.position_at_start(self._entry)
                self._variables[name] = self.builder.alloca(self.kinds[name].llvm)
        self.builder.store(self.convert(value, self.kinds[name]).ir, self._variables[name])

    def _hold(self, name: str, kind: Kind) -> None:
        before = self.kinds.setdefault(name, kind)
        wider = common([before, kind])
        if wider is None:
            raise CannotTranslate(f"{name} was a {before.name}, and here a {kind.name}")
        if wider is not before:
            self.kinds[name] = wider
            raise WiderKind

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
        self._hold("return", value.kind)
        if value.kind is NOTHING:
            self.builder.ret_void()
        else:
            self.builder.ret(self.convert(value, self.kinds["return"]).ir)

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
        after = self.builder.append_basic_block()
        for value in self.members(node.iter):
            following = self.builder.append_basic_block()
            self._store(node.target, value)
            self._within(node.body, following, after)
            self._go(following)
            self.builder.position_at_end(following)
        self._go(after)
        self._finish(node, after)

    def _count(self, node: ast.For, bounds: Sequence[Value]) -> None:
        """A loop over a range."""
        start, end, step = [constant(0), *bounds, constant(1)] if len(bounds) == 1 else [*bounds, constant(1)][:3]
        if not isinstance(step.constant, int) or step.constant == 0:
            raise CannotTranslate("the step of a range must be known, and not 0")
        b = self.builder
        test, body, following, after = (b.append_basic_block() for _ in range(4))
        first, last = self.convert(start, INT).ir, self.convert(end, INT).ir
        before = b.block
        b.branch(test)
        b.position_at_end(test)
        at = b.phi(WORD)
        at.add_incoming(first, before)
        b.cbranch(b.icmp_signed("<" if step.constant > 0 else ">", at, last), body, after)
        b.position_at_end(body)
        self._store(node.target, Value(INT, at))
        self._within(node.body, following, after)
        self._go(following)
        b.position_at_end(following)
        at.add_incoming(b.add(at, ir.Constant(WORD, step.constant)), following)
        b.branch(test)
        self._finish(node, after)

    def _Break(self, _: ast.Break) -> None:
        self.builder.branch(self._loops[-1][1])

    def _Continue(self, _: ast.Continue) -> None:
        self.builder.branch(self._loops[-1][0])
