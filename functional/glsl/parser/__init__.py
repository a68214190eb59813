"""The parser: recursive descent with one word of look-ahead, except for array types."""

from ..lexer import Word
from ..syntax import Declaration
from .statements import Parser

__all__ = ["parse"]


def parse(words: list[Word], version: int, name: str = "shader", lenient: bool = False) -> list[Declaration]:
    """The syntax tree of a whole shader.

    ``lenient`` accepts array sizes after types in GLSL ES 1.00, too.

    Raises
    ------
    ShaderError
        At the first word that matches no rule of the grammar, or beyond 128 levels of nesting.
    """
    return Parser(words, version, name, lenient).translation_unit()
