"""Preprocessing tokens: source text without comments and line continuations, split into words."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..errors import ShaderError

MAXIMUM_SOURCE_CHARACTERS, MAXIMUM_KEPT_CHARACTERS = 1 << 20, 256


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


Line = list[Token]
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


VERSION_DIRECTIVE = r"(?>\s+|//[^\n\r]*+|/\*.*?\*/)*+\#[ \t]*version[ \t]+"
"""Comments are atomic: tried to end elsewhere, a few of them would take ages."""
_VERSION = re.compile(VERSION_DIRECTIVE + r"(300|310|320)[ \t]+es\b", re.DOTALL)
_PLAIN_LINE = re.compile(r"[^\n\r\\/]*(?:/(?!\*)[^\n\r\\/]*)*(?:\r\n|\n\r|\n|\r)")
"""A line that is cut the same wherever it is."""
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


def cut_lines(source: str, name: str, version: int = 100) -> Iterator[str | Line]:
    """Cut source text into lines, and those that are not plain into tokens; a newline token ends every line, also the
    last, which is never plain. See `tokens_of`.

    A comment is one space, even if it spans lines inside a directive. In ESSL 3.00, continued lines are joined before
    anything else.

    Raises
    ------
    ShaderError
        For a comment that does not end, or source of more than 2**20 characters.
    """
    if len(source) > MAXIMUM_SOURCE_CHARACTERS:
        raise ShaderError(f"more than {MAXIMUM_SOURCE_CHARACTERS} characters of source", 0, name)
    source = source.split("\0", 1)[0]
    source, continued = _spliced(source) if version >= 300 else (source, [])
    continued.reverse()
    at, line = 0, 1
    while True:
        plain = _PLAIN_LINE.match(source, at)
        if plain and len(plain[0]) <= MAXIMUM_KEPT_CHARACTERS and not (continued and continued[-1] < plain.end()):
            yield plain[0]
            at, line = plain.end(), line + 1
            continue
        tokens, at, line = _cut(source, at, line, continued, name)
        if not tokens or tokens[-1].kind != "newline":
            yield [*tokens, Token("newline", "\n", line)]
            return
        yield tokens


def tokens_of(text: str, line: int) -> Line:
    """Tokens of a plain line with a number; its words are kept, as shaders of one program share most of their text."""
    return [Token(kind, word, line, space) for kind, word, _, space, _ in _words_of(text)]


@lru_cache(maxsize=8192)
def _words_of(text: str) -> Line:
    return _cut(text, 0, 0, [], "")[0]


def _cut(source: str, at: int, line: int, continued: list[int], name: str) -> tuple[Line, int, int]:
    """Tokens from a position to the end of its line, the position after it, and the number of the next line;
    ``continued`` has the positions of continuations from there on, the next one last."""
    tokens: Line = []
    space = False
    for match in _PATTERN.finditer(source, at):
        kind = str(match.lastgroup)
        text = match[kind]
        while continued and continued[-1] <= match.start():
            continued.pop()
            line += 1
        if kind == "space":
            space = True
            if "\n" in text or "\r" in text:
                line += len(re.findall(r"\r\n|\n\r|\n|\r", text))
            continue
        if text == "/" and source.startswith("/*", match.start(kind)):
            raise ShaderError("comment does not end", line, name)
        tokens.append(Token(kind, text, line, space or match.end("blank") > match.start()))
        space = False
        if kind == "newline":
            return tokens, match.end(), line + 1
    return tokens, len(source), line
