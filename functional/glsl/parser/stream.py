"""Stream of a shader's words."""

from typing import NoReturn

from ..errors import ShaderError
from ..keywords import TYPE_KEYWORDS
from ..lexer import Word

MAXIMUM_NESTING = 128


class WordStream:
    """A position in the words, with the usual queries; base of the parser's parts."""

    def __init__(self, words: list[Word], version: int, name: str, lenient: bool = False) -> None:
        self.lenient = lenient
        self.words = words
        self.version = version
        self.name = name
        self.position = 0
        self.nesting = 0

    @property
    def word(self) -> Word:
        """The word at the position."""
        return self.words[self.position]

    def peek(self, distance: int = 1) -> Word:
        """A word further ahead; beyond the end, the end word."""
        return self.words[min(self.position + distance, len(self.words) - 1)]

    def advance(self) -> Word:
        """Consume a word."""
        word = self.words[self.position]
        if word.kind != "end":
            self.position += 1
        return word

    def at(self, *texts: str) -> bool:
        """Whether the current word is one of these keywords or operators."""
        return self.word.kind in ("operator", "keyword") and self.word.text in texts

    def accept(self, text: str) -> bool:
        """Consume this keyword or operator if it is there."""
        if self.at(text):
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> Word:
        """Consume this keyword or operator, or fail."""
        if not self.at(text):
            self.fail(f"expected {text!r} before {self.word.text!r}")
        return self.advance()

    def expect_identifier(self, what: str) -> Word:
        """Consume a name, or fail."""
        if self.word.kind != "identifier":
            self.fail(f"expected {what} before {self.word.text!r}")
        return self.advance()

    def fail(self, message: str) -> NoReturn:
        """Raise a :class:`ShaderError` at the current word."""
        raise ShaderError(message, self.word.line, self.name)

    def enter(self) -> None:
        """Enter a level of nesting, whose number is limited because each uses stack."""
        self.nesting += 1
        if self.nesting > MAXIMUM_NESTING:
            self.fail("nested too deeply")

    def leave(self) -> None:
        """Leave a level of nesting."""
        self.nesting -= 1

    def at_type_keyword(self) -> bool:
        """Whether the current word names a built-in type."""
        return self.word.kind == "keyword" and self.word.text in TYPE_KEYWORDS
