"""Expressions of ``#if`` and ``#elif`` (ESSL 1.00 and 3.00, section 3.4)."""

from ..errors import ShaderError
from .macros import MAXIMUM_NESTING, MacroTable
from .tokens import Token

_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)


def _wrap(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


class Condition:
    """Evaluates one condition; names that no macro defines are errors unless short-circuited away."""

    def __init__(self, tokens: list[Token], table: MacroTable) -> None:
        self.table = table
        self.line = tokens[0].line if tokens else table.line
        self.tokens = table.expand(self._replace_defined(tokens), condition=True)
        # A macro's body may contain "defined" as well.
        self.tokens = [t for t in self._replace_defined(self.tokens) if t.kind != "newline"]
        self.position = 0

    def value(self) -> bool:
        """The condition's value.

        Raises
        ------
        ShaderError
            For anything that is not an integer constant expression.
        """
        if not self.tokens:
            raise self._error("condition without expression")
        result = self._binary(0, True, 0)
        if self.position < len(self.tokens):
            raise self._error(f"unexpected {self.tokens[self.position].text!r} in condition")
        return result != 0

    def _error(self, message: str) -> ShaderError:
        return ShaderError(message, self.line, self.table.shader_name)

    def _replace_defined(self, tokens: list[Token]) -> list[Token]:
        output: list[Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            i += 1
            if token.text != "defined":
                output.append(token)
                continue
            parenthesized = i < len(tokens) and tokens[i].text == "("
            i += parenthesized
            if i >= len(tokens) or tokens[i].kind != "identifier":
                raise self._error("'defined' needs a macro name")
            is_defined = tokens[i].text in self.table.macros or tokens[i].text == "__LINE__"
            i += 1
            if parenthesized:
                if i >= len(tokens) or tokens[i].text != ")":
                    raise self._error("'defined' lacks a closing parenthesis")
                i += 1
            output.append(token._replace(kind="number", text=str(int(is_defined))))
        return output

    def _next(self) -> str:
        return self.tokens[self.position].text if self.position < len(self.tokens) else ""

    def _binary(self, level: int, live: bool, depth: int) -> int:
        if level == len(_LEVELS):
            return self._unary(live, depth)
        left = self._binary(level + 1, live, depth)
        while self._next() in _LEVELS[level]:
            operator = self._next()
            self.position += 1
            needed = live and not (operator == "||" and left) and not (operator == "&&" and not left)
            right = self._binary(level + 1, needed, depth)
            left = self._apply(operator, left, right) if live else 0
        return left

    def _apply(self, operator: str, a: int, b: int) -> int:
        if operator in ("/", "%"):
            if b == 0:
                raise self._error("division by zero in condition")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return _wrap(quotient if operator == "/" else a - b * quotient)
        results = {
            "||": lambda: int(bool(a or b)),
            "&&": lambda: int(bool(a and b)),
            "|": lambda: a | b,
            "^": lambda: a ^ b,
            "&": lambda: a & b,
            "==": lambda: int(a == b),
            "!=": lambda: int(a != b),
            "<": lambda: int(a < b),
            ">": lambda: int(a > b),
            "<=": lambda: int(a <= b),
            ">=": lambda: int(a >= b),
            "<<": lambda: a << (b & 31),
            ">>": lambda: a >> (b & 31),
            "+": lambda: a + b,
            "-": lambda: a - b,
            "*": lambda: a * b,
        }
        return _wrap(results[operator]())

    def _unary(self, live: bool, depth: int) -> int:
        if depth > MAXIMUM_NESTING:
            raise self._error("condition nested too deeply")
        if self.position >= len(self.tokens):
            raise self._error("condition ends early")
        token = self.tokens[self.position]
        self.position += 1
        if token.text in ("+", "-", "!", "~"):
            value = self._unary(live, depth + 1)
            return _wrap({"+": value, "-": -value, "!": int(not value), "~": ~value}[token.text])
        if token.text == "(":
            value = self._binary(0, live, depth + 1)
            if self._next() != ")":
                raise self._error("condition lacks a closing parenthesis")
            self.position += 1
            return value
        if token.kind == "number":
            return self._integer(token.text)
        if token.kind == "identifier":
            if live:
                raise self._error(f"{token.text} is not defined")
            return 0
        raise self._error(f"unexpected {token.text!r} in condition")

    def _integer(self, text: str) -> int:
        try:
            if text[:2].lower() == "0x":
                return _wrap(int(text, 16))
            return _wrap(int(text, 8 if text.startswith("0") else 10)) if len(text) < 64 else 0
        except ValueError:
            raise self._error(f"{text!r} is not an integer") from None
