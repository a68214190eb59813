"""The checker: turns the syntax tree into a typed tree, or reports an error with its line."""

from .. import syntax
from ..errors import ShaderError
from ..ir.program import Stage
from ..typed import CheckedShader, Function
from ..types import VOID
from .statements import StatementChecker

__all__ = ["check"]


def check(
    declarations: list[syntax.Declaration],
    stage: Stage,
    version: int,
    extensions: frozenset[str],
    name: str = "shader",
    invariant_all: bool = False,
) -> CheckedShader:
    """Resolve names and types of a whole shader.

    Raises
    ------
    ShaderError
        If a rule of the language is broken.
    """
    main = Function("main", VOID, [], 0)
    shader = CheckedShader(name, stage, version, [], [], main, invariant_all)
    checker = StatementChecker(shader, extensions)
    for declaration in declarations:
        checker.check_global(declaration)
    mains = [f for f in shader.functions if f.name == "main" and f.body is not None]
    if mains:
        shader.main = mains[0]
    _check_calls(shader)
    return shader


def _check_calls(shader: CheckedShader) -> None:
    """Reject recursion and calls of functions without a body."""
    state: dict[int, str] = {}
    for root in shader.functions:
        stack = [(root, 0)]
        while stack:
            function, position = stack.pop()
            if position == 0:
                if state.get(id(function)) == "done":
                    continue
                state[id(function)] = "open"
            if position == len(function.callees):
                state[id(function)] = "done"
                continue
            stack.append((function, position + 1))
            callee = function.callees[position]
            if callee.body is None:
                raise ShaderError(f"{callee.signature} is called but not defined", function.line, shader.name)
            if state.get(id(callee)) == "open":
                raise ShaderError(f"{callee.signature} is recursive", callee.line, shader.name)
            stack.append((callee, 0))
