"""Effects of a piece of code: variables that it may write, and jumps that may leave it."""

from ..typed import (
    Assign,
    Block,
    BuiltinCall,
    Call,
    Declare,
    Evaluate,
    Expression,
    FieldOf,
    Function,
    If,
    Increment,
    IndexOf,
    Jump,
    Loop,
    Reference,
    Statement,
    Switch,
    Swizzle,
    Variable,
    walk,
)


def children(statement: Statement) -> list[Statement]:
    """The statements directly inside a statement."""
    if isinstance(statement, Block):
        return statement.statements
    if isinstance(statement, If):
        return [statement.then] + ([statement.otherwise] if statement.otherwise else [])
    if isinstance(statement, Loop):
        return [*statement.initial, statement.body]
    if isinstance(statement, Switch):
        return [inner for _, section in statement.sections for inner in section]
    return []


def expressions(statement: Statement) -> list[Expression]:
    """The expressions of a statement itself."""
    parts: list[Expression | None] = []
    if isinstance(statement, Evaluate):
        parts = [statement.expression]
    elif isinstance(statement, Declare):
        parts = [statement.variable.initializer]
    elif isinstance(statement, If):
        parts = [statement.condition]
    elif isinstance(statement, Loop):
        parts = [statement.condition, statement.step]
    elif isinstance(statement, Switch):
        parts = [statement.selector]
    elif isinstance(statement, Jump):
        parts = [statement.value]
    return [expression for expression in parts if expression is not None]


def root_variable(expression: Expression) -> Variable | None:
    """The variable that an lvalue is part of."""
    while isinstance(expression, (Swizzle, FieldOf, IndexOf)):
        expression = expression.base
    return expression.variable if isinstance(expression, Reference) else None


class WrittenVariables:
    """Finds what statements may write, and remembers the results for functions."""

    def __init__(self) -> None:
        self.of_function: dict[Function, frozenset[Variable]] = {}

    def of_statements(self, statements: list[Statement]) -> set[Variable]:
        """Variables that executing these statements may write."""
        written: set[Variable] = set()
        stack = list(statements)
        while stack:
            statement = stack.pop()
            stack += children(statement)
            for expression in expressions(statement):
                written |= self.of_expression(expression)
        return written

    def of_expression(self, expression: Expression) -> set[Variable]:
        """Variables that evaluating this expression may write."""
        written: set[Variable] = set()
        for part in walk(expression):
            if isinstance(part, (Assign, Increment)):
                targets = [part.target]
            elif isinstance(part, Call):
                pairs = zip(part.function.parameters, part.arguments, strict=True)
                targets = [argument for parameter, argument in pairs if parameter.direction != "in"]
                written |= self._function(part.function)
            elif isinstance(part, BuiltinCall):
                targets = [part.arguments[position] for position in part.written]
            else:
                continue
            written |= {v for v in map(root_variable, targets) if v is not None}
        return written

    def _function(self, function: Function) -> frozenset[Variable]:
        if function not in self.of_function:
            body = function.body
            self.of_function[function] = frozenset(self.of_statements([body]) if body else ())
        return self.of_function[function]


def contains_jump(statement: Statement, kinds: tuple[str, ...], in_loop: bool = False) -> bool:
    """Whether a jump of these kinds leaves the statement; breaks of loops inside stay inside."""
    if isinstance(statement, Jump):
        return statement.kind in kinds and not (in_loop and statement.kind in ("break", "continue"))
    inner = in_loop or isinstance(statement, Loop)
    if isinstance(statement, Switch):
        kept = tuple(k for k in kinds if k != "break")
        return any(contains_jump(child, kept, inner) for child in children(statement))
    return any(contains_jump(child, kinds, inner) for child in children(statement))


def always_jumps(statement: Statement | None, kinds: tuple[str, ...]) -> bool:
    """Whether every path through a statement ends in a jump of these kinds."""
    if isinstance(statement, Jump):
        return statement.kind in kinds
    if isinstance(statement, Block):
        return any(always_jumps(inner, kinds) for inner in statement.statements)
    if isinstance(statement, If):
        return always_jumps(statement.then, kinds) and always_jumps(statement.otherwise, kinds)
    return False
