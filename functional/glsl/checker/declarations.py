"""Checking declarations (chapter 4)."""

from .. import syntax
from ..typed import Expression, Function, Variable
from ..types import (
    ArrayType,
    BasicType,
    CounterType,
    OpaqueType,
    StructType,
    Type,
    VoidType,
    contains_image,
    contains_opaque,
)
from .blocks import BlockChecker
from .scope import FunctionName

_INVARIANT_SEMANTICS = ("varying", "position", "point_size", "frag_coord", "point_coord", "color")
_NON_CONSTANT_INITIALIZERS = "GL_EXT_shader_non_constant_global_initializers"


class DeclarationChecker(BlockChecker):
    """Declarations of variables, functions, precisions, invariance."""

    def check_global(self, node: syntax.Declaration) -> None:
        """Check a declaration of the global scope."""
        if isinstance(node, syntax.FunctionDefinition):
            self.check_function(node)
        elif isinstance(node, syntax.FunctionPrototype):
            self.declare_function(node)
        elif isinstance(node, syntax.InvariantDeclaration):
            self._invariant(node)
        elif isinstance(node, syntax.VariableDeclaration):
            self.shader.globals += self.check_variables(node)
        elif isinstance(node, syntax.InterfaceBlock):
            self.check_block(node)
        elif isinstance(node, syntax.QualifierDeclaration):
            self.check_default_layout(node)
        else:
            self.check_precision(node)

    def check_function(self, node: syntax.FunctionDefinition) -> None:
        """Check a function and its body."""
        raise NotImplementedError

    def check_precision(self, node: syntax.Declaration) -> None:
        """Check a default precision."""
        if not isinstance(node, syntax.PrecisionDeclaration):
            self.fail("this declaration is not part of the language version", node)
        of = self.resolve_type(node.type)
        scalar = isinstance(of, BasicType) and of.name in ("int", "float")
        if not scalar and not isinstance(of, OpaqueType):
            self.fail(f"{of.name} has no default precision", node)
        self.scopes.scopes[-1].precisions[of.name] = node.precision

    def _invariant(self, node: syntax.InvariantDeclaration) -> None:
        for name in node.names:
            symbol = self.scopes.find(name)
            if not isinstance(symbol, Variable):
                self.fail(f"{name} is not a variable", node)
            legacy = self.version < 300 and symbol.semantic in _INVARIANT_SEMANTICS
            if not legacy and symbol.storage != "out":
                self.fail(f"{name} cannot be invariant", node)
            if symbol.used:
                self.fail(f"{name} is used before it becomes invariant", node)
            symbol.invariant = True

    def check_variables(self, node: syntax.VariableDeclaration) -> list[Variable]:
        """Declare variables; without declarators, only a structure."""
        self.check_qualifier_order(node.qualifiers)
        base = self.element_type(node.type)
        if isinstance(base, VoidType):
            self.fail("a variable cannot be void", node)
        if not node.declarators:
            of = self.apply_sizes(base, node.type.sizes, node)
            if node.type.structure is None and node.qualifiers.precision and isinstance(of, BasicType):
                self.fail("a declaration without a name", node)
            if isinstance(of, CounterType):
                self.set_counter_offset(node)
            return []
        return [self._variable(node, base, declarator) for declarator in node.declarators]

    def _variable(self, node: syntax.VariableDeclaration, base: Type, declarator: syntax.Declarator) -> Variable:
        qualifiers = node.qualifiers
        sizes = [*declarator.sizes, *node.type.sizes]
        like = None
        if None in sizes and self.version >= 300:
            like = self._initializer_type(base, declarator)
        of = self.apply_sizes(base, sizes, declarator, like)
        precision = self.precision_of(of, qualifiers, node)
        variable = Variable(
            declarator.name,
            of,
            "global" if self.scopes.at_global else "local",
            precision=precision,
            constant=qualifiers.constant,
            invariant=qualifiers.invariant,
            line=declarator.line,
        )
        if qualifiers.storage in ("in", "out", "attribute", "varying"):
            self.check_registers(of, declarator.name, declarator)
        self.check_storage(variable, qualifiers, declarator)
        if declarator.initializer is not None:
            self._initialize(variable, declarator.initializer)
        elif qualifiers.constant:
            self.fail(f"{declarator.name} is const and needs an initializer", declarator)
        self.declare_variable(variable, declarator)
        return variable

    def _initializer_type(self, element: Type, node: syntax.Declarator) -> Type:
        """The type of the initializer from which array sizes follow."""
        if node.initializer is None:
            self.fail("array size is missing", node)
        of = self.check_expression(node.initializer).type
        if not isinstance(of, ArrayType):
            self.fail(f"cannot initialize an array of {element.name} with {of.name}", node)
        return of

    def _initialize(self, variable: Variable, node: syntax.Expression) -> None:
        value = self.as_type(self.check_value(node), variable.type)
        if value.type != variable.type:
            self.fail(f"cannot initialize {variable.type.name} with {value.type.name}", node)
        if not self.is_assignable(variable.type):
            self.fail(f"{variable.type.name} takes no initializer in GLSL ES 1.00", node)
        if not value.constant:
            if variable.constant:
                self.fail(f"initializer of const {variable.name} is not a constant expression", node)
            if variable.storage == "global" and not self._initializer_allowed(value):
                self.fail(f"initializer of {variable.name} is not a constant expression", node)
        elif variable.constant:
            variable.value = self.constant_bits(value)
        variable.initializer = value

    def _initializer_allowed(self, value: Expression) -> bool:
        return _NON_CONSTANT_INITIALIZERS in self.extensions

    def declare_function(self, node: syntax.FunctionPrototype, definition: bool = False) -> Function:
        """Declare a function, or find its earlier declaration."""
        if not self.scopes.at_global:
            self.fail("functions are declared at global scope only", node)
        self.check_new_name(node.name, node)
        for qualifier in node.qualifiers.order:
            if qualifier not in ("lowp", "mediump", "highp"):
                self.fail(f"a function's return type cannot be {qualifier}", node)
        return_type = self._return_type(node)
        valued = not isinstance(return_type, (VoidType, StructType))
        precision = self.precision_of(return_type, node.qualifiers, node) if valued else ""
        parameters = [self._parameter(parameter) for parameter in node.parameters]
        function = Function(node.name, return_type, parameters, node.line, precision)
        if node.name == "main" and (parameters or not isinstance(return_type, VoidType)):
            self.fail("main has no parameters and returns void", node)
        for builtin in self.functions.get(node.name, ()):
            if builtin.parameters == tuple(p.type for p in parameters) or self.version >= 300:
                self.fail(f"{node.name} is a built-in function", node)
        symbol = self.scopes.find_here(node.name)
        if symbol is None:
            symbol = FunctionName([])
            self.scopes.declare(node.name, symbol)
        if not isinstance(symbol, FunctionName):
            self.fail(f"{node.name} is already declared in this scope", node)
        return self._merge(function, symbol, node, definition)

    def _return_type(self, node: syntax.FunctionPrototype) -> Type:
        if node.return_type.structure is not None:
            self.fail("a structure cannot be defined in a return type", node)
        of = self.resolve_type(node.return_type)
        if not self.is_assignable(of) or contains_opaque(of):
            self.fail(f"a function cannot return {of.name}", node)
        return of

    def _merge(self, function: Function, symbol: FunctionName, node: syntax.Node, definition: bool) -> Function:
        for other in symbol.overloads:
            if [p.type for p in other.parameters] != [p.type for p in function.parameters]:
                continue
            if (other.return_type, other.precision) != (function.return_type, function.precision):
                self.fail(f"{function.name} differs from its declaration in line {other.line}", node)
            for a, b in zip(other.parameters, function.parameters, strict=True):
                if (a.direction, a.constant) != (b.direction, b.constant):
                    self.fail(f"parameters of {function.name} differ from line {other.line}", node)
            if self.version < 300 and (other.body is not None or not definition):
                self.fail(f"{function.name} is already declared in line {other.line}", node)
            return other
        symbol.overloads.append(function)
        self.shader.functions.append(function)
        return function

    def _parameter(self, node: syntax.Parameter) -> Variable:
        memory = node.qualifiers.memory
        order = [q for q in node.qualifiers.order if q not in ("lowp", "mediump", "highp", *memory)]
        later = self.version >= 310
        if (sorted(order) if later else order) not in ([], ["in"], ["out"], ["inout"], ["const"], ["const", "in"]):
            self.fail(f"a parameter cannot be {' '.join(order)}", node)
        if not later and node.qualifiers.precision and node.qualifiers.order[-1] not in ("lowp", "mediump", "highp"):
            self.fail("qualifiers are in the wrong order", node)
        if node.type.structure is not None:
            self.fail("a structure cannot be defined in a parameter", node)
        of = self.apply_sizes(self.element_type(node.type), [*node.sizes, *node.type.sizes], node)
        if isinstance(of, VoidType):
            self.fail("a parameter cannot be void", node)
        direction = node.qualifiers.storage or "in"
        if contains_opaque(of) and direction != "in":
            self.fail("a sampler cannot be an out parameter", node)
        if memory and not contains_image(of):
            self.fail(f"{of.name} is not an image and cannot be {memory[0]}", node)
        precision = self.precision_of(of, node.qualifiers, node)
        return Variable(
            node.name,
            of,
            "parameter",
            direction=direction,
            constant=node.qualifiers.constant,
            access=frozenset(memory),
            precision=precision,
            line=node.line,
        )
