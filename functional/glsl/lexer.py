"""Turns preprocessing tokens into words of the grammar: keywords, names, literals, operators."""

import re
import struct
from collections.abc import Iterable
from typing import NamedTuple

from . import keywords
from .errors import ShaderError
from .preprocessor import Token

_FLOAT = re.compile(r"(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$|[0-9]+[eE][+-]?[0-9]+$")
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)([uU]?)$")
MAXIMUM_IDENTIFIER_CHARACTERS = 1024


class Word(NamedTuple):
    """A word of the grammar.

    ``kind`` is "keyword", "identifier", "float", "int", "uint", "operator" or "end"; ``value`` is the
    literal's number (integers as unsigned 32-bit patterns).
    """

    kind: str
    text: str
    line: int
    value: float | int = 0


def _number(token: Token, version: int, name: str, suffixes: bool) -> Word:
    text = token.text
    suffixed = suffixes and text[-1] in "fF" and not text.lower().startswith("0x")
    if _FLOAT.match(text[:-1] if suffixed else text):
        try:
            value = struct.unpack("<f", struct.pack("<f", float(text.rstrip("fF"))))[0]
        except OverflowError:
            value = float("inf")
        return Word("float", text, token.line, value)
    match = _INTEGER.match(text) if len(text) < 64 else None
    if not match or (match[2] and version < 300):
        raise ShaderError(f"malformed number {text!r}", token.line, name)
    digits = match[1]
    base = 16 if digits[:2].lower() == "0x" else 8 if digits.startswith("0") else 10
    integer = int(digits, base)
    if integer > 0xFFFFFFFF:
        raise ShaderError(f"integer {text} needs more than 32 bits", token.line, name)
    return Word("uint" if match[2] else "int", text, token.line, integer)


def lex(
    tokens: Iterable[Token], version: int, name: str = "shader", extensions: Iterable[str] = (), lenient: bool = False
) -> list[Word]:
    """Classify preprocessing tokens; the last word is of kind "end".

    ``lenient`` accepts float suffixes in GLSL ES 1.00, too.

    Raises
    ------
    ShaderError
        For reserved words and operators, malformed numbers and characters outside the language.
    """
    words: list[Word] = []
    keyword_set, reserved = keywords.KEYWORDS[version], keywords.RESERVED[version]
    keyword_set |= {keywords.EXTENSION_KEYWORDS[e] for e in extensions if e in keywords.EXTENSION_KEYWORDS}
    line = 0
    for token in tokens:
        line, text = token.line, token.text
        if token.kind == "identifier":
            if text in keyword_set:
                words.append(Word("keyword", text, line))
            elif text in reserved:
                raise ShaderError(f"{text!r} is a reserved word", line, name)
            elif len(text) > MAXIMUM_IDENTIFIER_CHARACTERS:
                raise ShaderError("identifier too long", line, name)
            else:
                words.append(Word("identifier", text, line))
        elif token.kind == "number":
            words.append(_number(token, version, name, lenient or version >= 300))
        elif token.kind == "punctuator" and text not in ("#", "##"):
            if version == 100 and text in keywords.RESERVED_OPERATORS_100:
                raise ShaderError(f"operator {text!r} is reserved", line, name)
            words.append(Word("operator", text, line))
        elif token.kind != "newline":
            raise ShaderError(f"unexpected character {text!r}", line, name)
    words.append(Word("end", "end of source", line))
    return words
