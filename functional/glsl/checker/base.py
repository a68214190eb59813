"""Base of all parts of the checker: errors, scopes, types by name, constant expressions."""

from typing import NoReturn

from ...opengl.limits import MAX_STORAGE_BLOCK_BYTES
from .. import syntax
from ..block_layout import COMPONENT_BYTES
from ..builtin_variables import builtin_variables
from ..builtins import builtin_functions
from ..errors import ShaderError
from ..keywords import EXTENSION_KEYWORDS, KEYWORDS
from ..lowering.constants import ConstantEvaluationError, evaluate_constant
from ..typed import CheckedShader, Expression, Function, Variable
from ..types import (
    BUILTIN_TYPES,
    INT,
    MAXIMUM_REGISTERS,
    UINT,
    ArrayType,
    BasicType,
    CounterType,
    Field,
    OpaqueType,
    StructType,
    Type,
    VoidType,
    contains_array,
    contains_counter,
    contains_image,
    leaf_count,
)
from .conversions import EXTENSION, converted
from .scope import ScopeStack, TypeName

MAXIMUM_TYPE_VECTORS = MAX_STORAGE_BLOCK_BYTES // COMPONENT_BYTES
"""Vectors of a type: what the largest storage block holds, as a vector takes at least one component."""


class CheckerBase:
    """State of one run of the checker, and types by name.

    Parameters
    ----------
    shader
        Gets the typed functions and variables; has version, stage and name.
    extensions
        Extensions that the shader enables.

    Attributes
    ----------
    converts
        Whether values of some types are converted without a constructor.
    current
        Function whose body is checked.
    loop_depth, switch_depth
        Numbers of loops and of switches around the statement that is checked.
    written_outputs
        Outputs that the shader writes, with the line of the first write.
    block_layout
        Default layout of later blocks, by storage.
    counters_taken
        Bytes that counters take, by binding.
    """

    def __init__(self, shader: CheckedShader, extensions: frozenset[str]) -> None:
        self.shader = shader
        self.version = shader.version
        self.stage = shader.stage
        self.extensions = extensions
        self.converts = EXTENSION in extensions
        self.scopes = ScopeStack()
        self.functions = builtin_functions(shader.stage, shader.version)
        self.current: Function | None = None
        self.measured = 0
        """Depth of expressions of which only the length is asked."""
        self.loop_depth = 0
        self.switch_depth = 0
        self.written_outputs: dict[str, int] = {}
        self.block_layout = {
            storage: {"packing": "shared", "matrix": "column_major"} for storage in ("uniform", "buffer")
        }
        self.counter_offsets: dict[int, int] = {}
        """Offset of the next counter of each binding."""
        self.counters_taken: dict[int, set[int]] = {}
        builtins = self.scopes.scopes[0]
        builtins.precisions.update({"sampler2D": "lowp", "samplerCube": "lowp", "samplerExternalOES": "lowp"})
        builtins.precisions["atomic_uint"] = "highp"
        builtins.precisions["int"] = "mediump" if shader.stage == "fragment" else "highp"
        if shader.stage != "fragment":
            builtins.precisions["float"] = "highp"
        for variable in builtin_variables(shader.stage, shader.version, extensions):
            self.scopes.declare_builtin(variable.name, variable)

    def fail(self, message: str, node: syntax.Node | int) -> NoReturn:
        """Raise a :class:`ShaderError` at a node or line."""
        line = node if isinstance(node, int) else node.line
        raise ShaderError(message, line, self.shader.name)

    def check_new_name(self, name: str, node: syntax.Node) -> None:
        """Reject names that shaders cannot declare."""
        if name.startswith("gl_"):
            self.fail(f"names beginning with gl_ are reserved: {name}", node)

    def declare_variable(self, variable: Variable, node: syntax.Node) -> None:
        """Put a new variable into the innermost scope; names of this scope are refused."""
        self.check_new_name(variable.name, node)
        if self.scopes.find_here(variable.name) is not None:
            self.fail(f"{variable.name} is already declared in this scope", node)
        self.scopes.declare(variable.name, variable)

    def check_registers(self, of: Type, what: str, node: syntax.Node) -> None:
        """Reject a type that is too large for registers; `what` names its variable in the error."""
        if leaf_count(of) > MAXIMUM_REGISTERS:
            self.fail(f"{what} takes {leaf_count(of)} registers of {MAXIMUM_REGISTERS}", node)

    def integer_constant(self, expression: Expression, what: str) -> int:
        """Value of a constant integer expression; `what` names it in errors."""
        if not is_integer(expression.type):
            self.fail(f"{what} must be an integer, not {expression.type.name}", expression.line)
        if not expression.constant:
            self.fail(f"{what} must be a constant expression", expression.line)
        bits = self.constant_bits(expression)[0]
        return bits - 2**32 if expression.type == INT and bits >= 2**31 else bits

    def constant_bits(self, expression: Expression) -> tuple[int, ...]:
        """Components of a constant expression, as 32-bit patterns."""
        try:
            return evaluate_constant(expression)
        except ConstantEvaluationError as error:
            self.fail(str(error), expression.line)

    def as_type(self, value: Expression, to: Type) -> Expression:
        """A value, converted to a type where the language converts without a constructor."""
        return converted(value, to) if self.converts else value

    def check_expression(self, node: syntax.Expression) -> Expression:
        """Type an expression."""
        raise NotImplementedError

    def resolve_type(self, specifier: syntax.TypeSpecifier) -> Type:
        """The type that a specifier denotes, with its own array sizes applied."""
        return self.apply_sizes(self.element_type(specifier), specifier.sizes, specifier)

    def element_type(self, specifier: syntax.TypeSpecifier) -> Type:
        """The type that a specifier denotes without its array sizes."""
        if specifier.structure is not None:
            return self.define_struct(specifier.structure)
        symbol = self.scopes.find(specifier.name)
        named_type: Type | None = symbol.type if isinstance(symbol, TypeName) else None
        if named_type is None and symbol is None:
            named_type = BUILTIN_TYPES.get(specifier.name) if self._is_type_keyword(specifier.name) else None
        if named_type is None:
            self.fail(f"{specifier.name} is not a type", specifier)
        return named_type

    def _is_type_keyword(self, name: str) -> bool:
        """Whether this version of the language, with the enabled extensions, has a built-in type."""
        return name in KEYWORDS[self.version] or any(EXTENSION_KEYWORDS.get(e) == name for e in self.extensions)

    def apply_sizes(
        self,
        element: Type,
        sizes: list[syntax.Expression | None],
        node: syntax.Node,
        like: Type | None = None,
    ) -> Type:
        """An array type of the given sizes, outermost first; a size of None is that of the type ``like``."""
        if len(sizes) + isinstance(element, ArrayType) > 1 and self.version < 310:
            self.fail("arrays of arrays are not part of this language version", node)
        if sizes and isinstance(element, VoidType):
            self.fail("no arrays of void", node)
        counts = []
        for size in sizes:
            if size is not None:
                counts.append(self.integer_constant(self.check_expression(size), "array size"))
            elif isinstance(like, ArrayType):
                counts.append(like.size)
            else:
                self.fail("array size is missing", node)
            like = like.element if isinstance(like, ArrayType) else None
        for count in reversed(counts):
            if count <= 0:
                self.fail(f"array size {count} is not positive", node)
            if count * leaf_count(element) > MAXIMUM_TYPE_VECTORS:
                self.fail(f"an array of more than {MAXIMUM_TYPE_VECTORS} vectors", node)
            element = ArrayType(element, count)
        return element

    def define_struct(self, definition: syntax.StructDefinition) -> StructType:
        """A new structure type, declared in the innermost scope if it has a name."""
        if definition.name:
            self.check_new_name(definition.name, definition)
            if self.scopes.find_here(definition.name) is not None:
                self.fail(f"{definition.name} is already declared in this scope", definition)
        fields: list[Field] = []
        for member in definition.members:
            for qualifier in member.qualifiers.order:
                if qualifier not in ("lowp", "mediump", "highp"):
                    self.fail(f"members of structures cannot be {qualifier}", member)
            fields += self.member_fields(member)
            if contains_image(fields[-1].type) or contains_counter(fields[-1].type):
                self.fail("members of structures cannot be images or atomic counters", member)
        if not fields:
            self.fail("a structure needs members", definition)
        names = [member.name for member in fields]
        for name in names:
            if names.count(name) > 1:
                self.fail(f"structure has two members called {name}", definition)
        struct = StructType(definition.name, tuple(fields))
        if leaf_count(struct) > MAXIMUM_TYPE_VECTORS:
            self.fail(f"a structure of more than {MAXIMUM_TYPE_VECTORS} vectors", definition)
        if definition.name:
            self.scopes.declare(definition.name, TypeName(struct))
        return struct

    def member_fields(self, member: syntax.VariableDeclaration) -> list[Field]:
        """The members that a declaration in a structure or block defines."""
        if member.type.structure is not None:
            self.fail("a structure cannot be defined inside another", member)
        base = self.element_type(member.type)
        if isinstance(base, VoidType):
            self.fail("a member cannot be void", member)
        precision = self.precision_of(base, member.qualifiers, member)
        fields = []
        for declarator in member.declarators:
            self.check_new_name(declarator.name, declarator)
            of = self.apply_sizes(base, [*declarator.sizes, *member.type.sizes], declarator)
            fields.append(Field(declarator.name, of, precision))
        return fields

    def precision_of(self, of: Type, qualifiers: syntax.Qualifiers, node: syntax.Node) -> str:
        """Precision of a new variable: its qualifier, or the default in force."""
        while isinstance(of, ArrayType):
            of = of.element
        if isinstance(of, OpaqueType):
            key = of.name
        elif isinstance(of, BasicType) and of.base != "bool":
            key = "int" if of.base == "uint" else of.base
        else:
            if qualifiers.precision:
                self.fail(f"{of.name} takes no precision qualifier", node)
            return ""
        precision = qualifiers.precision or self.scopes.precision(key)
        if not precision:
            self.fail(f"no precision is given for {of.name}, and there is no default", node)
        if isinstance(of, CounterType) and precision != "highp":
            self.fail("atomic counters are highp", node)
        return precision

    def is_assignable(self, of: Type) -> bool:
        """Whether values of the type can be assigned (section 5.8)."""
        return self.version >= 300 or not contains_array(of)


def is_integer(of: Type) -> bool:
    """Whether a type is a scalar integer."""
    return of in (INT, UINT)
