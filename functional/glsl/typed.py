"""The typed tree that the checker builds from the syntax tree, with every name and type resolved."""

from dataclasses import dataclass, field
from typing import Literal

from .ir.program import Stage
from .types import Type

Storage = Literal["local", "global", "uniform", "in", "out", "parameter", "buffer", "shared"]


@dataclass(slots=True, eq=False)
class Variable:
    """A variable, compared by identity: two variables may share name and type.

    Attributes
    ----------
    storage : str
        "in" and "out" are stage inputs and outputs, including built-in ones; "buffer" is a storage block.
    semantic : str
        Purpose of an input or output, as in :class:`~tilegpu.functional.glsl.ir.Declaration`.
    direction : str
        Direction of a parameter: "in", "out" or "inout".
    constant : bool
        Declared const: only its initializer writes it.
    block, layout, named : str, str, bool
        For a block: its name, "shared", "packed", "std140" or "std430", and whether it has an instance name.
    location, binding : int or None
        Of a layout qualifier: location, and unit or buffer binding.
    offset_bytes : int or None
        Of an atomic counter, in its buffer.
    access : frozenset of str
        Memory qualifiers: "coherent", "volatile", "restrict", "readonly", "writeonly".
    format : str
        Format qualifier of an image; "" without one.
    value : tuple of int or None
        Components of a constant expression's value, as 32-bit patterns.
    """

    name: str
    type: Type
    storage: Storage = "local"
    semantic: str = ""
    direction: str = "in"
    constant: bool = False
    precision: str = ""
    interpolation: str = "smooth"
    centroid: bool = False
    invariant: bool = False
    location: int | None = None
    binding: int | None = None
    offset_bytes: int | None = None
    access: frozenset[str] = frozenset()
    format: str = ""
    block: str = ""
    layout: str = ""
    named: bool = False
    line: int = 0
    initializer: "Expression | None" = None
    value: tuple[int, ...] | None = None
    used: bool = False

    @property
    def key(self) -> str:
        """Name by which a varying of one stage finds that of the other: its location where it has one (ESSL 3.10,
        9.2.1)."""
        return f"location {self.location}" if self.semantic == "varying" and self.location is not None else self.name


@dataclass(slots=True)
class Expression:
    """An expression of a known type; ``constant`` as section 5.10 of the specification defines it."""

    line: int
    type: Type
    constant: bool = field(default=False, kw_only=True)


@dataclass(slots=True)
class Constant(Expression):
    """Known components, as 32-bit patterns (true is all bits)."""

    bits: tuple[int, ...]


@dataclass(slots=True)
class Reference(Expression):
    variable: Variable


@dataclass(slots=True)
class Swizzle(Expression):
    base: Expression
    components: tuple[int, ...]


@dataclass(slots=True)
class FieldOf(Expression):
    base: Expression
    index: int


@dataclass(slots=True)
class IndexOf(Expression):
    """An array's element, a matrix's column or a vector's component."""

    base: Expression
    index: Expression


@dataclass(slots=True)
class Operation(Expression):
    """An operator without side effects; unary ones have one operand."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(slots=True)
class Assign(Expression):
    """``target = value``, or ``target = target operator value``."""

    target: Expression
    operator: str
    value: Expression


@dataclass(slots=True)
class Increment(Expression):
    """``++`` and ``--``: ``operator`` is "+" or "-"."""

    target: Expression
    operator: str
    postfix: bool


@dataclass(slots=True)
class Select(Expression):
    """``condition ? then : otherwise``: only one side is evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(slots=True)
class Comma(Expression):
    first: Expression
    second: Expression


@dataclass(slots=True)
class Construct(Expression):
    """A constructor of ``type``."""

    arguments: tuple[Expression, ...]


@dataclass(slots=True)
class Call(Expression):
    """A call of a user's function."""

    function: "Function"
    arguments: tuple[Expression, ...]


@dataclass(slots=True)
class BuiltinCall(Expression):
    """A call of a built-in function; ``written`` are the positions of the arguments that it writes."""

    name: str
    arguments: tuple[Expression, ...]
    written: tuple[int, ...] = ()


@dataclass(slots=True)
class BufferLength(Expression):
    """Number of elements of the array at the end of a storage block, which the buffer's size determines."""

    array: Expression


@dataclass(slots=True)
class Statement:
    """A statement."""

    line: int


@dataclass(slots=True)
class Block(Statement):
    statements: list[Statement]


@dataclass(slots=True)
class Evaluate(Statement):
    expression: Expression


@dataclass(slots=True)
class Declare(Statement):
    """A declaration of a local variable."""

    variable: Variable


@dataclass(slots=True)
class If(Statement):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(slots=True)
class Loop(Statement):
    """Any loop. ``test_first`` is False for do-while; ``condition_variable`` is declared again for each test."""

    initial: list[Statement]
    condition: Expression | None
    condition_variable: Variable | None
    step: Expression | None
    body: Statement
    test_first: bool


@dataclass(slots=True)
class Switch(Statement):
    """``sections`` are (labels, statements); a label of None is default."""

    selector: Expression
    sections: list[tuple[list[int | None], list[Statement]]]


@dataclass(slots=True)
class Jump(Statement):
    """``kind`` is "break", "continue", "discard" or "return"."""

    kind: str
    value: Expression | None = None


@dataclass(slots=True, eq=False)
class Function:
    """A user's function; ``body`` is None until it is defined."""

    name: str
    return_type: Type
    parameters: list[Variable]
    line: int
    precision: str = ""
    body: Block | None = None
    callees: list["Function"] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """Name and parameter types, which distinguish overloads."""
        return f"{self.name}({', '.join(p.type.name for p in self.parameters)})"


@dataclass(slots=True)
class CheckedShader:
    """A whole shader that obeys the language's rules.

    Attributes
    ----------
    globals : list of Variable
        Variables of the global scope in order of declaration, including inputs, outputs and uniforms; built-in ones
        are included if the shader uses them.
    main : Function
        The main function; without a body if the shader lacks it, so that it cannot be linked.
    local_size : tuple of int, optional
        Invocations of a work group in x, y and z, once a compute shader has declared it.
    blend_support : set of str
        Advanced equations that colours may be blended by.
    early_tests : bool
        Whether depth and stencil are tested before the fragment shader (layout qualifier early_fragment_tests).
    """

    name: str
    stage: Stage
    version: int
    globals: list[Variable]
    functions: list[Function]
    main: Function
    invariant_all: bool = False
    local_size: tuple[int, int, int] | None = None
    early_tests: bool = False
    blend_support: set[str] = field(default_factory=set)


def walk(expression: Expression) -> "list[Expression]":
    """The expression and everything below it, outermost first."""
    nodes = [expression]
    for node in nodes:
        for name in node.__slots__:
            value = getattr(node, name)
            if isinstance(value, Expression):
                nodes.append(value)
            elif isinstance(value, tuple):
                nodes += [part for part in value if isinstance(part, Expression)]
    return nodes
