"""The parser: recursive descent over words, one word of look-ahead but for array types."""

from ..lexer import Word
from ..syntax import Declaration
from .statements import Parser

__all__ = ["parse"]


def parse(words: list[Word], version: int, name: str = "shader", lenient: bool = False) -> list[Declaration]:
    """The syntax tree of a whole shader.

    ``lenient`` takes array sizes behind types in GLSL ES 1.00, too.

    Raises
    ------
    ShaderError
        At the first word that fits no rule of the grammar, or beyond 128 levels of nesting.
    """
    return Parser(words, version, name, lenient).translation_unit()
