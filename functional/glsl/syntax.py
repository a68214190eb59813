"""The syntax tree that the parser builds, before names and types are resolved."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Node:
    """Anything with a position in the source."""

    line: int


class Expression(Node):
    """An expression."""


@dataclass(slots=True)
class Identifier(Expression):
    name: str


@dataclass(slots=True)
class Literal(Expression):
    """A constant; ``base`` is "float", "int", "uint" or "bool"."""

    base: str
    value: float | int | bool


@dataclass(slots=True)
class Unary(Expression):
    """Prefix operator, including ``++`` and ``--``."""

    operator: str
    operand: Expression


@dataclass(slots=True)
class Postfix(Expression):
    """``operand++`` or ``operand--``."""

    operator: str
    operand: Expression


@dataclass(slots=True)
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True)
class Assignment(Expression):
    """``target operator value``; the operator is "=", "+=", ..."""

    operator: str
    target: Expression
    value: Expression


@dataclass(slots=True)
class Conditional(Expression):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(slots=True)
class Index(Expression):
    base: Expression
    index: Expression


@dataclass(slots=True)
class Member(Expression):
    """``base.name``: structure member or swizzle."""

    base: Expression
    name: str


@dataclass(slots=True)
class Length(Expression):
    """``base.length()``."""

    base: Expression


@dataclass(slots=True)
class Call(Expression):
    """Function call or constructor by name."""

    name: str
    arguments: list[Expression]


@dataclass(slots=True)
class TypeConstructor(Expression):
    """Constructor whose name is a type keyword or an array type."""

    type: "TypeSpecifier"
    arguments: list[Expression]


MEMORY_QUALIFIERS = ("coherent", "volatile", "restrict", "readonly", "writeonly")
"""Qualifiers of memory (ESSL 3.10, 4.9)."""


@dataclass(slots=True)
class Qualifiers(Node):
    """Everything before a type, in the order in which it was written (``order``)."""

    storage: str = ""
    interpolation: str = ""
    centroid: bool = False
    invariant: bool = False
    precision: str = ""
    constant: bool = False
    memory: list[str] = field(default_factory=list)
    layout: dict[str, int | None] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)


@dataclass(slots=True)
class TypeSpecifier(Node):
    """A type by name or by structure definition; ``sizes`` are the array sizes after it (None: unsized)."""

    name: str
    structure: "StructDefinition | None" = None
    sizes: list[Expression | None] = field(default_factory=list)


@dataclass(slots=True)
class Declarator(Node):
    name: str
    sizes: list[Expression | None]
    initializer: Expression | None


class Declaration(Node):
    """A declaration, at global scope or in a function."""


@dataclass(slots=True)
class VariableDeclaration(Declaration):
    qualifiers: Qualifiers
    type: TypeSpecifier
    declarators: list[Declarator]


@dataclass(slots=True)
class StructDefinition(Node):
    name: str
    members: list[VariableDeclaration]


@dataclass(slots=True)
class InterfaceBlock(Declaration):
    """A uniform or storage block."""

    qualifiers: Qualifiers
    name: str
    members: list[VariableDeclaration]
    instance: Declarator | None


@dataclass(slots=True)
class PrecisionDeclaration(Declaration):
    precision: str
    type: TypeSpecifier


@dataclass(slots=True)
class InvariantDeclaration(Declaration):
    names: list[str]


@dataclass(slots=True)
class QualifierDeclaration(Declaration):
    """``layout(…) uniform;``: qualifiers without a declaration."""

    qualifiers: Qualifiers


@dataclass(slots=True)
class Parameter(Node):
    qualifiers: Qualifiers
    type: TypeSpecifier
    name: str
    sizes: list[Expression | None]


@dataclass(slots=True)
class FunctionPrototype(Declaration):
    qualifiers: Qualifiers
    return_type: TypeSpecifier
    name: str
    parameters: list[Parameter]


@dataclass(slots=True)
class FunctionDefinition(Declaration):
    prototype: FunctionPrototype
    body: "Compound"


class Statement(Node):
    """A statement."""


@dataclass(slots=True)
class Compound(Statement):
    statements: list[Statement]


@dataclass(slots=True)
class ExpressionStatement(Statement):
    """``expression`` is None for an empty statement."""

    expression: Expression | None


@dataclass(slots=True)
class DeclarationStatement(Statement):
    declaration: Declaration


@dataclass(slots=True)
class If(Statement):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(slots=True)
class For(Statement):
    """``condition`` is an expression, a declaration with initializer, or None."""

    initial: Statement
    condition: "Expression | VariableDeclaration | None"
    step: Expression | None
    body: Statement


@dataclass(slots=True)
class While(Statement):
    condition: "Expression | VariableDeclaration"
    body: Statement


@dataclass(slots=True)
class DoWhile(Statement):
    body: Statement
    condition: Expression


@dataclass(slots=True)
class Switch(Statement):
    selector: Expression
    body: list[Statement]


@dataclass(slots=True)
class Case(Statement):
    """A label; ``value`` is None for ``default``."""

    value: Expression | None


@dataclass(slots=True)
class Jump(Statement):
    """``kind`` is "break", "continue", "discard" or "return"."""

    kind: str
    value: Expression | None = None
