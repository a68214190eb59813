"""Checking calls and constructors (sections 5.4, 6.1)."""

from collections.abc import Iterator

from .. import syntax
from ..builtin_variables import BUILT_FROM
from ..builtins import BuiltinFunction
from ..lowering.effects import root_variable
from ..memory_functions import atomic_operation, uses_memory, writes_memory
from ..typed import (
    BuiltinCall,
    Call,
    Construct,
    Expression,
    FieldOf,
    Function,
    IndexOf,
    Reference,
    Swizzle,
    Variable,
)
from ..types import (
    INT,
    ArrayType,
    BasicType,
    ImageType,
    OpaqueType,
    StructType,
    Type,
    VoidType,
    component_count,
    contains_array,
    contains_image,
)
from .base import CheckerBase
from .conversions import takes
from .scope import BlockName, FunctionName, MemberName, TypeName


def access_to(expression: Expression) -> frozenset[str]:
    """Memory qualifiers that apply to an l-value or image: those of its variable and of the block's member."""
    qualifiers = frozenset[str]()
    while isinstance(expression, (Swizzle, FieldOf, IndexOf)):
        if isinstance(expression, FieldOf) and isinstance(expression.base.type, StructType):
            qualifiers |= expression.base.type.fields[expression.index].access
        expression = expression.base
    return qualifiers | expression.variable.access if isinstance(expression, Reference) else qualifiers


class CallChecker(CheckerBase):
    """Calls of user functions, built-in functions and constructors."""

    def check_lvalue(self, expression: Expression, node: syntax.Node) -> None:
        """Reject expressions that cannot be assigned to."""
        raise NotImplementedError

    def check_value(self, node: syntax.Expression) -> Expression:
        """Type an expression whose value is read: not of a member or block that is writeonly (ESSL 3.10, 4.9)."""
        return self._readable(self.check_expression(node), node)

    def _readable(self, expression: Expression, node: syntax.Node) -> Expression:
        if "writeonly" in access_to(expression) and not isinstance(expression.type, OpaqueType):
            self.fail("a writeonly variable cannot be read", node)
        self.check_registers(expression.type, "this value", node)
        return expression

    def check_call(self, node: syntax.Call) -> Expression:
        """Type a call by name."""
        symbol = self.scopes.find(node.name)
        arguments = tuple(self.check_expression(argument) for argument in node.arguments)
        if isinstance(symbol, TypeName):
            return self.check_constructor(symbol.type, arguments, node)
        if symbol is not None and not isinstance(symbol, FunctionName):
            self.fail(f"{node.name} is not a function", node)
        types = tuple(argument.type for argument in arguments)
        for function in symbol.overloads if symbol else []:
            if tuple(p.type for p in function.parameters) == types:
                return self._user_call(function, arguments, node)
        builtin = self._builtin(node.name, types)
        if builtin is None and self.converts:
            for function in symbol.overloads if symbol else []:
                wanted = tuple(p.type for p in function.parameters)
                if takes(wanted, types):
                    return self._user_call(function, self._as_types(arguments, wanted), node)
            builtin = self._converting(node.name, types)
            if builtin is not None:
                arguments = self._as_types(arguments, builtin.parameters)
        if builtin is None:
            self.fail(f"no function {node.name}({', '.join(t.name for t in types)})", node)
        self._check_builtin_arguments(builtin, arguments, node)
        constant = builtin.constant and all(argument.constant for argument in arguments)
        return BuiltinCall(node.line, builtin.return_type, node.name, arguments, builtin.written, constant=constant)

    def _as_types(self, arguments: tuple[Expression, ...], types: tuple[Type, ...]) -> tuple[Expression, ...]:
        return tuple(self.as_type(argument, of) for argument, of in zip(arguments, types, strict=True))

    def _overloads(self, name: str) -> Iterator[BuiltinFunction]:
        """Built-in functions of a name that this version has, with its extensions."""
        overloads = self.functions.get(name, ())
        return (overload for overload in overloads if not overload.extension or overload.extension in self.extensions)

    def _builtin(self, name: str, types: tuple[Type, ...]) -> BuiltinFunction | None:
        return next((overload for overload in self._overloads(name) if overload.parameters == types), None)

    def _converting(self, name: str, types: tuple[Type, ...]) -> BuiltinFunction | None:
        """The first one whose parameters the arguments become by themselves; what is written is not converted."""
        fitting = (
            overload for overload in self._overloads(name) if not overload.written and takes(overload.parameters, types)
        )
        return next(fitting, None)

    def _check_builtin_arguments(
        self, builtin: BuiltinFunction, arguments: tuple[Expression, ...], node: syntax.Call
    ) -> None:
        """Out arguments must be variables, texel offsets must be constants (chapter 8)."""
        for position in builtin.written:
            self.check_lvalue(arguments[position], node)
        if uses_memory(builtin.name) and arguments:
            self._check_memory(builtin.name, arguments[0], node)
        else:
            for argument in arguments:
                self._readable(argument, node)
        if builtin.name.endswith("Offset"):
            position = next(i for i, of in reversed(list(enumerate(builtin.parameters))) if of.name.startswith("ivec"))
            offset = arguments[position]
            if not offset.constant:
                self.fail("a texel offset must be a constant expression", node)
        chosen = builtin.name.startswith("textureGather") and builtin.parameters[-1] == INT
        if chosen and not 0 <= self.integer_constant(arguments[-1], "the component to gather") <= 3:
            self.fail("the component to gather is not between 0 and 3", node)

    def _check_memory(self, name: str, place: Expression, node: syntax.Call) -> None:
        """Atomic functions need memory to act on, and all need the right to access it (ESSL 3.10, 4.9 and 8.11)."""
        variable = root_variable(place)
        opaque = isinstance(place.type, OpaqueType)
        if not opaque:
            self.check_lvalue(place, node)
            if variable is None or variable.storage not in ("buffer", "shared"):
                self.fail(f"{name} needs a buffer or shared variable", node)
        access = access_to(place)
        if "readonly" in access and writes_memory(name):
            self.fail(f"{name}: {variable.name if variable else 'the image'} is readonly", node)
        if "writeonly" in access and (name == "imageLoad" or atomic_operation(name)):
            self.fail(f"{name}: {variable.name if variable else 'the image'} is writeonly", node)
        if isinstance(place.type, ImageType) and atomic_operation(name) and variable is not None:
            formats = ("r32f",) if place.type.base == "float" else ("r32i", "r32ui")
            if variable.storage == "uniform" and variable.format not in formats:
                self.fail(f"{name} needs an image of format {' or '.join(formats)}", node)

    def _user_call(self, function: Function, arguments: tuple[Expression, ...], node: syntax.Call) -> Expression:
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            if parameter.direction != "in":
                self.check_lvalue(argument, node)
            if parameter.direction != "out":
                self._readable(argument, node)
            lost = access_to(argument) - parameter.access - {"restrict"}
            if lost and contains_image(parameter.type):
                self.fail(f"{function.name}: {parameter.name} is not {min(lost)}, as the image is", node)
        if self.current is None:
            self.fail("global initializers cannot call functions", node)
        self.current.callees.append(function)
        return Call(node.line, function.return_type, function, arguments)

    def check_type_constructor(self, node: syntax.TypeConstructor) -> Expression:
        """Type a constructor whose name is a keyword or an array type."""
        arguments = tuple(self.check_expression(argument) for argument in node.arguments)
        like = None
        if None in node.type.sizes and self.version >= 300:
            if not arguments:
                self.fail("an array constructor needs arguments", node)
            like = ArrayType(arguments[0].type, len(arguments))
        of = self.apply_sizes(self.element_type(node.type), node.type.sizes, node, like)
        return self.check_constructor(of, arguments, node)

    def check_constructor(self, of: Type, arguments: tuple[Expression, ...], node: syntax.Expression) -> Expression:
        """Type a constructor of ``of``."""
        for argument in arguments:
            self._readable(argument, node)
        if isinstance(of, (VoidType, OpaqueType)):
            self.fail(f"{of.name} has no constructor", node)
        self.check_registers(of, f"a {of.name}", node)
        for argument in arguments:
            if isinstance(argument.type, VoidType):
                self.fail("a void value cannot be an argument", node)
        if isinstance(of, StructType):
            self._check_members([member.type for member in of.fields], arguments, of, node)
        elif isinstance(of, ArrayType):
            self._check_members([of.element] * of.size, arguments, of, node)
        else:
            self._check_components(of, arguments, node)
        return Construct(node.line, of, arguments, constant=all(argument.constant for argument in arguments))

    def _check_members(
        self, wanted: list[Type], arguments: tuple[Expression, ...], of: Type, node: syntax.Node
    ) -> None:
        if len(arguments) != len(wanted):
            self.fail(f"constructor of {of.name} takes {len(wanted)} arguments, not {len(arguments)}", node)
        for argument, expected in zip(arguments, wanted, strict=True):
            if argument.type != expected:
                self.fail(f"constructor of {of.name}: {argument.type.name} is not {expected.name}", node)
            if contains_array(expected) and not self.is_assignable(expected):
                self.fail(f"{of.name} contains arrays and has no constructor in GLSL ES 1.00", node)

    def _check_components(self, of: BasicType, arguments: tuple[Expression, ...], node: syntax.Node) -> None:
        if not arguments:
            self.fail(f"constructor of {of.name} needs arguments", node)
        for argument in arguments:
            if not isinstance(argument.type, BasicType):
                self.fail(f"{argument.type.name} cannot be converted to {of.name}", node)
        matrices = [a for a in arguments if isinstance(a.type, BasicType) and a.type.is_matrix]
        if of.is_matrix and matrices and len(arguments) > 1:
            self.fail("a matrix built from a matrix takes no other argument", node)
        if len(arguments) == 1:
            only = arguments[0].type
            assert isinstance(only, BasicType)
            if only.is_scalar or of.is_scalar or (of.is_matrix and only.is_matrix):
                return
        available = 0
        for argument in arguments:
            if available >= of.component_count:
                self.fail(f"too many arguments in constructor of {of.name}", node)
            available += component_count(argument.type)
        if available < of.component_count:
            self.fail(f"too few components in constructor of {of.name}", node)

    def _built_from(self, variable: Variable) -> list[Variable]:
        """Built-in inputs that another one follows from, if the shader did not use them so far."""
        inputs = (self.scopes.find_builtin(name) for name in BUILT_FROM.get(variable.semantic, ()))
        return [v for v in inputs if isinstance(v, Variable) and v not in self.shader.globals]

    def check_identifier(self, node: syntax.Identifier) -> Expression:
        """Type a variable's name."""
        symbol = self.scopes.find(node.name)
        if symbol is None:
            self.fail(f"{node.name} is not declared", node)
        if isinstance(symbol, (TypeName, FunctionName, BlockName)):
            self.fail(f"{node.name} is not a variable", node)
        if isinstance(symbol, MemberName):
            symbol.block.used = True
            base = Reference(node.line, symbol.block.type, symbol.block)
            assert isinstance(base.type, StructType)
            return FieldOf(node.line, base.type.fields[symbol.index].type, base, symbol.index)
        if not symbol.used:
            symbol.used = True
            if node.name.startswith("gl_") and symbol not in self.shader.globals:
                self.shader.globals += [*self._built_from(symbol), symbol]
        if not (symbol.block or symbol.storage == "shared" or self.measured):
            self.check_registers(symbol.type, symbol.name, node)
        constant = symbol.constant and symbol.value is not None
        return Reference(node.line, symbol.type, symbol, constant=constant)
