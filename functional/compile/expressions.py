"""Expressions of programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir

from .arrays import Arrays
from .kinds import (
    BIT,
    BOOL,
    FLOAT,
    SINGLE,
    Array,
    Record,
    Tables,
    Tuple,
    array_of,
    common,
    number,
    tuple_of,
)
from .memory import Place
from .values import CannotTranslate, PythonObject, Value, constant

if TYPE_CHECKING:
    from .functions import Functions

NAMED_TUPLE = "_fields"
NUMBERS = bool, int, float, np.number, np.bool_


class Expressions(Arrays):
    """Expressions of one function.

    Parameters
    ----------
    builder
        Where instructions are added.
    functions
        All functions of the program.
    names
        Objects that the function's text can name, apart from its variables.
    """

    def __init__(self, builder: ir.IRBuilder, functions: Functions, names: Callable[[str], Any]) -> None:
        super().__init__(builder)
        self.functions, self.names = functions, names

    def variable(self, name: str) -> Value | None:
        """Value of a variable, None if the function has none of this name."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> Value:
        """Value of an expression, which must have one when the program runs."""
        translated = self.translate(node)
        return translated if isinstance(translated, Value) else self.value_of(translated)

    def value_of(self, named: PythonObject) -> Value:
        """Value of an object: of a tuple that of its members, of an array a copy of it."""
        thing = named.object
        if isinstance(thing, NUMBERS):
            return self._number_of_numpy(thing) if isinstance(thing, np.generic) else constant(thing)
        if isinstance(thing, tuple):
            members = [self.value_of(PythonObject(member)) for member in thing]
            return self.tupled(members, getattr(thing, NAMED_TUPLE, ()))
        if isinstance(thing, np.ndarray):
            return Value(array_of(thing.dtype, thing.shape), self.functions.stored(thing))
        raise CannotTranslate(f"{thing!r} is no value")

    def _number_of_numpy(self, thing: Any) -> Value:
        stored = number(thing.dtype)
        if stored is None:
            raise CannotTranslate(f"programs have no numbers of type {thing.dtype}")
        return Value(stored[1], ir.Constant(stored[1].llvm, thing.item()), thing.item())

    def translate(self, node: ast.expr) -> Value | PythonObject:
        """Value of an expression, or the object that it names."""
        self.functions.at(node)
        translate: Any = getattr(self, f"_{type(node).__name__}", None)
        if translate is None:
            raise CannotTranslate(f"programs have no {type(node).__name__} expressions")
        result: Value | PythonObject = translate(node)
        return result

    def _Constant(self, node: ast.Constant) -> Value:
        if not isinstance(node.value, bool | int | float):
            raise CannotTranslate(f"programs have no constants such as {node.value!r}")
        return constant(node.value)

    def _Name(self, node: ast.Name) -> Value | PythonObject:
        variable = self.variable(node.id)
        if variable is not None:
            return variable
        try:
            return self._simplified(self.names(node.id))
        except KeyError:
            raise CannotTranslate(f"{node.id} has no value yet") from None

    def _Attribute(self, node: ast.Attribute) -> Value | PythonObject:
        owner = self.translate(node.value)
        if isinstance(owner, PythonObject):
            if not isinstance(owner.object, ModuleType | type | tuple) or not hasattr(owner.object, node.attr):
                raise CannotTranslate(f"{owner.object!r} has no {node.attr}")
            return self._simplified(getattr(owner.object, node.attr))
        if isinstance(owner.kind, Record):
            return self.read(self.field(owner, node.attr))
        if isinstance(owner.kind, Tuple | Tables) and node.attr in owner.kind.names:
            return self.item(owner, owner.kind.names.index(node.attr))
        if isinstance(owner.kind, Array) and node.attr in ("shape", "size"):
            return self.size(owner) if node.attr == "size" else self.tupled(self.lengths(owner))
        raise CannotTranslate(f"a {owner.kind.name} has no {node.attr}")

    def _simplified(self, thing: Any) -> Value | PythonObject:
        return self.value_of(PythonObject(thing)) if isinstance(thing, NUMBERS) else PythonObject(thing)

    def _Subscript(self, node: ast.Subscript) -> Value | PythonObject:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return self._length(node)
        owner = self.translate(node.value)
        each = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(index, ast.Slice) for index in each):
            return self._part(self.value(node.value), each)
        indices = [self.value(index) for index in each]
        index = indices[0]
        if isinstance(owner, PythonObject):
            if isinstance(owner.object, tuple) and index.constant is not None:
                return self._simplified(owner.object[int(index.constant)])
            owner = self.value_of(PythonObject(np.asarray(owner.object)))
        if isinstance(owner.kind, Tuple | Tables):
            if not isinstance(index.constant, int) or index.constant >= len(owner.kind.members):
                raise CannotTranslate("a tuple needs an index that is known, and a member there")
            return self.item(owner, index.constant)
        element = self.element(owner, indices)
        return self.read(element) if isinstance(element, Place) else element

    def _part(self, array: Value, indices: Sequence[ast.expr]) -> Value:
        """Rows of an array, after indices of dimensions further out."""
        *places, last = indices
        if (
            not isinstance(last, ast.Slice)
            or last.step is not None
            or any(isinstance(each, ast.Slice) for each in places)
        ):
            raise CannotTranslate("programs have parts of an array whose elements lie side by side only")
        inner = self.element(array, [self.value(each) for each in places]) if places else array
        if isinstance(inner, Place) or not isinstance(inner.kind, Array):
            raise CannotTranslate("only an array has parts")
        bounds = [None if bound is None else self.value(bound) for bound in (last.lower, last.upper)]
        return self.part(inner, *bounds)

    def _length(self, node: ast.Subscript) -> Value:
        """Length of an array in a dimension: `array.shape[1]`."""
        assert isinstance(node.value, ast.Attribute)
        array, dimension = self.value(node.value.value), self.value(node.slice).constant
        if not isinstance(dimension, int):
            raise CannotTranslate("the number of a dimension must be known")
        return self.length(array, dimension)

    def _Tuple(self, node: ast.Tuple) -> Value:
        return self.tupled(self.spread(node.elts))

    def spread(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Values of some expressions, and the members of those with a star."""
        values: list[Value] = []
        for node in nodes:
            values.extend(self.members(node.value) if isinstance(node, ast.Starred) else [self.value(node)])
        return values

    def tupled(self, members: Sequence[Value], names: tuple[str, ...] = ()) -> Value:
        """A tuple of some values."""
        return self.pack(members, tuple_of(tuple(member.kind for member in members), names))

    def _BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        return self.power(left, right) if isinstance(node.op, ast.Pow) else self.binary(node.op, left, right)

    def power(self, base: Value, exponent: Value) -> Value:
        """A floating-point number to a power."""
        if base.constant is not None and exponent.constant is not None:
            return constant(base.constant**exponent.constant)
        base, exponent = self.together([base, exponent])
        if base.kind not in (SINGLE, FLOAT):
            raise CannotTranslate("programs have no powers of integers")
        name = f"llvm.pow.f{32 if base.kind is SINGLE else 64}"
        return self.intrinsic(name, base.kind, [base.ir, exponent.ir])  # type: ignore[arg-type]

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:
        return self.unary(node.op, self.value(node.operand))

    def _Compare(self, node: ast.Compare) -> Value:
        result: Value | None = None
        before = self.value(node.left)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn):
                step, following = self._contained(operator, before, right), before
            else:
                following = self.value(right)
                step = self.compared(operator, before, following)
            # Operands have no side effects, so that all of a chain can be compared.
            result = step if result is None else Value(BOOL, self.builder.and_(result.ir, step.ir))
            before = following
        assert result is not None
        return result

    def _contained(self, operator: ast.cmpop, value: Value, node: ast.expr) -> Value:
        contained = Value(BOOL, ir.Constant(BIT, 0))
        for member in self.members(node):
            contained = Value(BOOL, self.builder.or_(contained.ir, self.compared(ast.Eq(), value, member).ir))
        return contained if isinstance(operator, ast.In) else self.unary(ast.Not(), contained)

    def members(self, node: ast.expr) -> list[Value]:
        """Members of a tuple that the text spells out or names."""
        if isinstance(node, ast.Tuple):
            return self.spread(node.elts)
        sequence = self.translate(node)
        if isinstance(sequence, PythonObject) and isinstance(sequence.object, tuple | range):
            return [self.value_of(PythonObject(each)) for each in sequence.object]
        if isinstance(sequence, Value) and isinstance(sequence.kind, Tuple | Tables):
            return [self.item(sequence, k) for k in range(len(sequence.kind.members))]
        raise CannotTranslate("only a tuple has members")

    def branch(self, node: ast.expr, yes: ir.Block, no: ir.Block) -> None:
        """Go on in a block if an expression is true, otherwise in another."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            conjunction = isinstance(node.op, ast.And)
            for each in node.values[:-1]:
                following = self.builder.append_basic_block()
                self.branch(each, following if conjunction else yes, no if conjunction else following)
                self.builder.position_at_end(following)
            self.branch(node.values[-1], yes, no)
        else:
            self.builder.cbranch(self.truth(self.value(node)).ir, yes, no)

    def _BoolOp(self, node: ast.BoolOp) -> Value:
        """The operand that decides."""
        conjunction, ends = isinstance(node.op, ast.And), []
        merge = self.builder.append_basic_block()
        for each in node.values[:-1]:
            value = self.value(each)
            ends.append((value, self.builder.block))
            following = self.builder.append_basic_block()
            truth = self.truth(value).ir
            self.builder.cbranch(truth, *((following, merge) if conjunction else (merge, following)))
            self.builder.position_at_end(following)
        value = self.value(node.values[-1])
        ends.append((value, self.builder.block))
        self.builder.branch(merge)
        return self._merged(ends, merge)

    def _IfExp(self, node: ast.IfExp) -> Value:
        yes, no, merge = (self.builder.append_basic_block() for _ in range(3))
        self.branch(node.test, yes, no)
        ends = []
        for block, branch in ((yes, node.body), (no, node.orelse)):
            self.builder.position_at_end(block)
            value = self.value(branch)
            ends.append((value, self.builder.block))
            self.builder.branch(merge)
        return self._merged(ends, merge)

    def _merged(self, ends: list[tuple[Value, ir.Block]], merge: ir.Block) -> Value:
        """The value that came from one of several blocks, each of which ends with a branch."""
        kind = common([value.kind for value, _ in ends])
        if kind is None:
            raise CannotTranslate(f"{' or '.join(value.kind.name for value, _ in ends)} has no kind")
        incoming = []
        for value, block in ends:
            self.builder.position_before(block.terminator)
            incoming.append((self.convert(value, kind).ir, block))
        self.builder.position_at_end(merge)
        phi = self.builder.phi(kind.llvm)
        for value_, block in incoming:
            phi.add_incoming(value_, block)
        return Value(kind, phi)
