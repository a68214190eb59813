"""Preprocessing tokens: source text without comments and line continuations, cut into words."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import ShaderError

MAXIMUM_SOURCE_CHARACTERS = 1 << 20


class Token(NamedTuple):
    """A word of source text.

    ``kind`` is "identifier", "number", "punctuator", "newline" or "other" (a character no token begins with).
    ``hidden`` holds the macros that may not expand this token again.
    """

    kind: str
    text: str
    line: int
    space_before: bool = False
    hidden: frozenset[str] = frozenset()


_PATTERN = re.compile(
    r"""(?P<space>[ \t\v\f]+ | //[^\n\r]* | /\*.*?\*/ | \\(?:\r\n|\n|\r))
      | (?P<newline>\r\n|\n\r|\n|\r)
      | (?P<identifier>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<number>0[xX][0-9a-fA-F]+[A-Za-z_0-9]*
                 | (?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[A-Za-z_0-9]*
                 | [0-9]+[eE][+-]?[0-9]+[A-Za-z_0-9]*
                 | [0-9]+[A-Za-z_0-9]*)
      | (?P<punctuator><<=|>>=|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\#\#
                 |[-+*/%<>=!&|^~?:;,.(){}\[\]\#])
      | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(source: str, name: str) -> Iterator[Token]:
    """Cut source text into tokens; a newline token ends every line, also the last.

    A comment is one space, even where it spans lines inside a directive.

    Raises
    ------
    ShaderError
        For a comment that does not end, or source of more than 2**20 characters.
    """
    if len(source) > MAXIMUM_SOURCE_CHARACTERS:
        raise ShaderError(f"more than {MAXIMUM_SOURCE_CHARACTERS} characters of source", 0, name)
    line, space = 1, False
    source = source.split("\0", 1)[0]
    for match in _PATTERN.finditer(source):
        kind, text = str(match.lastgroup), match.group()
        if kind == "space":
            space = True
            if "\n" in text or "\r" in text:
                line += len(re.findall(r"\r\n|\n\r|\n|\r", text))
            continue
        if text == "/" and source.startswith("/*", match.start()):
            raise ShaderError("comment does not end", line, name)
        yield Token(kind, text, line, space)
        space = False
        if kind == "newline":
            line += 1
    yield Token("newline", "\n", line)
