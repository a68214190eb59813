"""Preprocessing tokens: source text without comments and line continuations, split into words."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import ShaderError

MAXIMUM_SOURCE_CHARACTERS = 1 << 20


class Token(NamedTuple):
    """A word of source text.

    ``kind`` is "identifier", "number", "punctuator", "newline" or "other" (a character that begins no token).
    ``hidden`` holds the macros that may not expand this token again.
    """

    kind: str
    text: str
    line: int
    space_before: bool = False
    hidden: frozenset[str] = frozenset()


_PATTERN = re.compile(
    r"""(?P<blank>[ \t]*)(?:(?P<space>[ \t\v\f]+ | //[^\n\r]* | /\*.*?\*/ | \\(?:\r\n|\n|\r))
      | (?P<newline>\r\n|\n\r|\n|\r)
      | (?P<identifier>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<number>0[xX][0-9a-fA-F]+[A-Za-z_0-9]*
                 | (?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[A-Za-z_0-9]*
                 | [0-9]+[eE][+-]?[0-9]+[A-Za-z_0-9]*
                 | [0-9]+[A-Za-z_0-9]*)
      | (?P<punctuator><<=|>>=|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\#\#
                 |[-+*/%<>=!&|^~?:;,.(){}\[\]\#])
      | (?P<other>.))
    """,
    re.VERBOSE | re.DOTALL,
)


_VERSION = re.compile(r"(?:\s|//[^\n\r]*|/\*.*?\*/)*\#[ \t]*version[ \t]+(300|310|320)[ \t]+es\b", re.DOTALL)
_CONTINUATION = re.compile(r"\\(?:\r\n|\n|\r)")


def _spliced(source: str) -> tuple[str, list[int]]:
    """Source without line continuations, and the positions where these were."""
    parts = _CONTINUATION.split(source)
    places, length = [], 0
    for part in parts[:-1]:
        length += len(part)
        places.append(length)
    return "".join(parts), places


def source_version(source: str) -> int:
    """The version that the source's first directive asks for: 300, 310 or 320, otherwise 100."""
    asked = _VERSION.match(source)
    return int(asked[1]) if asked else 100


def tokenize(source: str, name: str, version: int = 100) -> Iterator[Token]:
    """Cut source text into tokens; a newline token ends every line, also the last.

    A comment is one space, even if it spans lines inside a directive. In ESSL 3.00, continued lines are joined before
    anything else.

    Raises
    ------
    ShaderError
        For a comment that does not end, or source of more than 2**20 characters.
    """
    if len(source) > MAXIMUM_SOURCE_CHARACTERS:
        raise ShaderError(f"more than {MAXIMUM_SOURCE_CHARACTERS} characters of source", 0, name)
    line, space = 1, False
    source = source.split("\0", 1)[0]
    source, continued = _spliced(source) if version >= 300 else (source, [])
    passed = 0
    for match in _PATTERN.finditer(source):
        kind = str(match.lastgroup)
        text = match[kind]
        while passed < len(continued) and continued[passed] <= match.start():
            passed, line = passed + 1, line + 1
        if kind == "space":
            space = True
            if "\n" in text or "\r" in text:
                line += len(re.findall(r"\r\n|\n\r|\n|\r", text))
            continue
        if text == "/" and source.startswith("/*", match.start(kind)):
            raise ShaderError("comment does not end", line, name)
        yield Token(kind, text, line, space or match.end("blank") > match.start())
        space = False
        if kind == "newline":
            line += 1
    yield Token("newline", "\n", line)
