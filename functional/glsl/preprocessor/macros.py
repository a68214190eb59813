"""Macros: definition and expansion."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ShaderError
from .tokens import Token

MAXIMUM_EXPANDED_TOKENS = 1 << 18
MAXIMUM_NESTING = 100


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro; ``parameters`` is None if it has no argument list."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]

    def same_as(self, other: "Macro") -> bool:
        """Whether a second definition is allowed, that is, equal except for the amount of white space (section 3.4)."""

        def spelling(tokens: tuple[Token, ...]) -> list[tuple[str, bool]]:
            return [(t.text, t.space_before and i > 0) for i, t in enumerate(tokens)]

        return self.parameters == other.parameters and spelling(self.body) == spelling(other.body)


class MacroTable:
    """The macros that are defined at a point of a shader, and their expansion."""

    def __init__(self, name: str) -> None:
        self.shader_name = name
        self.macros: dict[str, Macro] = {}
        self.line = 1
        self.expanded_tokens = 0

    def expand(self, tokens: Iterable[Token], depth: int = 0, condition: bool = False) -> list[Token]:
        """Replace macros in ``tokens`` until nothing is left to replace.

        In a condition, the operand of "defined" is not expanded, even inside a macro's body.

        Raises
        ------
        ShaderError
            For an invocation with wrong arguments, or an expansion of more than 2**18 tokens in all.
        """
        if depth > MAXIMUM_NESTING:
            raise ShaderError("macros nested too deeply", self.line, self.shader_name)
        pending = list(tokens)[::-1]
        output: list[Token] = []
        while pending:
            token = pending.pop()
            if condition and token.text == "defined":
                output.append(token)
                operand = 2 if pending and pending[-1].text == "(" else 1
                output += [pending.pop() for _ in range(min(operand, len(pending)))]
                continue
            if token.kind != "identifier" or token.text in token.hidden:
                output.append(token)
                continue
            if token.text == "__LINE__":
                output.append(token._replace(kind="number", text=str(token.line)))
                continue
            macro = self.macros.get(token.text)
            if macro is None or (macro.parameters is not None and not _opens(pending)):
                output.append(token)
                continue
            replacement = self._invoke(macro, token, pending, depth)
            self.expanded_tokens += len(replacement) + 1
            if self.expanded_tokens > MAXIMUM_EXPANDED_TOKENS:
                raise ShaderError("macro expansion is too large", token.line, self.shader_name)
            pending.extend(reversed(replacement))
        return output

    def _invoke(self, macro: Macro, token: Token, pending: list[Token], depth: int) -> list[Token]:
        hidden = token.hidden | {macro.name}
        body = list(macro.body)
        line = token.line
        if macro.parameters is not None:
            arguments, line = self._arguments(macro, token, pending)
            pairs = zip(macro.parameters, arguments, strict=True)
            expanded = {parameter: self.expand(argument, depth + 1) for parameter, argument in pairs}
            body = [t for b in macro.body for t in expanded.get(b.text, [b])]
        return [t._replace(line=line, hidden=t.hidden | hidden) for t in body]

    def _arguments(self, macro: Macro, token: Token, pending: list[Token]) -> tuple[list[list[Token]], int]:
        """Arguments of an invocation, and the line where it ends."""
        while pending[-1].kind == "newline":
            pending.pop()
        pending.pop()
        arguments: list[list[Token]] = [[]]
        depth = 1
        while pending:
            t = pending.pop()
            depth += {"(": 1, ")": -1}.get(t.text, 0)
            if depth == 0:
                break
            if t.text == "," and depth == 1:
                arguments.append([])
            elif t.kind != "newline":
                arguments[-1].append(t)
        else:
            raise ShaderError(f"arguments of macro {macro.name} do not end", token.line, self.shader_name)
        expected = len(macro.parameters or ())
        if expected == 0 and arguments == [[]]:
            return [], t.line
        if len(arguments) != expected:
            message = f"macro {macro.name} takes {expected} arguments, not {len(arguments)}"
            raise ShaderError(message, token.line, self.shader_name)
        return arguments, t.line


def _opens(pending: list[Token]) -> bool:
    """Whether the next token that is not a line's end is an opening parenthesis."""
    for token in reversed(pending):
        if token.kind != "newline":
            return token.text == "("
    return False
