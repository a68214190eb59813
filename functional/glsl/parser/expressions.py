"""Parsing expressions: precedence climbing over the operators of section 5.1."""

from ..syntax import (
    Assignment,
    Binary,
    Call,
    Conditional,
    Expression,
    Identifier,
    Index,
    Length,
    Literal,
    Member,
    Postfix,
    TypeConstructor,
    TypeSpecifier,
    Unary,
)
from .stream import WordStream

_PRECEDENCE = {
    operator: level
    for level, operators in enumerate(
        ("||", "^^", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"), start=1
    )
    for operator in operators.split()
}
_ASSIGNMENTS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="])
MAXIMUM_CHAIN = 2048


class ExpressionParser(WordStream):
    """Expressions, from comma lists down to primaries."""

    def expression(self) -> Expression:
        """A full expression, comma operator included."""
        sequence = self.assignment_expression()
        chain = 0
        while self.at(","):
            line = self.advance().line
            chain += 1
            if chain > MAXIMUM_CHAIN:
                self.fail("expression too long")
            sequence = Binary(line, ",", sequence, self.assignment_expression())
        return sequence

    def assignment_expression(self) -> Expression:
        """An expression without the comma operator."""
        self.enter()
        target = self.conditional_expression()
        if self.word.kind == "operator" and self.word.text in _ASSIGNMENTS:
            if isinstance(target, (Conditional, Binary)):
                self.fail("cannot assign to this expression")
            word = self.advance()
            target = Assignment(word.line, word.text, target, self.assignment_expression())
        self.leave()
        return target

    def conditional_expression(self) -> Expression:
        """``a ? b : c``, or an expression of higher precedence."""
        condition = self.binary_expression(1)
        if not self.at("?"):
            return condition
        line = self.advance().line
        self.enter()
        then = self.expression()
        self.expect(":")
        otherwise = self.assignment_expression()
        self.leave()
        return Conditional(line, condition, then, otherwise)

    def binary_expression(self, lowest: int) -> Expression:
        """Binary operators with at least this precedence."""
        left = self.unary_expression()
        chain = 0
        while self.word.kind == "operator" and _PRECEDENCE.get(self.word.text, 0) >= lowest:
            word = self.advance()
            right = self.binary_expression(_PRECEDENCE[word.text] + 1)
            left = Binary(word.line, word.text, left, right)
            chain += 1
            if chain > MAXIMUM_CHAIN:
                self.fail("expression too long")
        return left

    def unary_expression(self) -> Expression:
        """Prefix operators."""
        if self.at("+", "-", "!", "~", "++", "--"):
            word = self.advance()
            self.enter()
            operand = self.unary_expression()
            self.leave()
            return Unary(word.line, word.text, operand)
        return self.postfix_expression()

    def postfix_expression(self) -> Expression:
        """Index, member, call and postfix operators after a primary."""
        result = self.primary_expression()
        chain = 0
        while self.at("[", ".", "++", "--"):
            chain += 1
            if chain > MAXIMUM_CHAIN:
                self.fail("expression too long")
            word = self.advance()
            if word.text == "[":
                result = Index(word.line, result, self.expression())
                self.expect("]")
            elif word.text == ".":
                result = self._member(result, word.line)
            else:
                result = Postfix(word.line, word.text, result)
        return result

    def _member(self, base: Expression, line: int) -> Expression:
        name = self.expect_identifier("a member's name").text
        if name == "length" and self.at("("):
            if self.version < 300:
                self.fail("arrays have no length() in GLSL ES 1.00")
            self.advance()
            self.expect(")")
            return Length(line, base)
        return Member(line, base, name)

    def primary_expression(self) -> Expression:
        """Names, literals, parentheses, calls and constructors."""
        word = self.word
        if self.at_type_keyword():
            specifier = self.constructor_type()
            return TypeConstructor(word.line, specifier, self.arguments())
        if word.kind == "identifier":
            if self.version >= 300 and self._at_array_constructor():
                specifier = self.constructor_type()
                return TypeConstructor(word.line, specifier, self.arguments())
            self.advance()
            if self.at("("):
                return Call(word.line, word.text, self.arguments())
            return Identifier(word.line, word.text)
        if word.kind in ("int", "uint", "float"):
            self.advance()
            return Literal(word.line, word.kind, word.value)
        if self.at("true", "false"):
            self.advance()
            return Literal(word.line, "bool", word.text == "true")
        if not self.accept("("):
            self.fail(f"unexpected {word.text!r} in expression")
        self.enter()
        inside = self.expression()
        self.leave()
        self.expect(")")
        return inside

    def _at_array_constructor(self) -> bool:
        """Whether ``name [ ... ] (`` lies ahead: the constructor of an array of structures."""
        distance, depth = 1, 0
        if self.peek(1).text != "[":
            return False
        while True:
            word = self.peek(distance)
            if word.kind == "end" or word.text == ";":
                return False
            depth += {"[": 1, "]": -1}.get(word.text, 0)
            distance += 1
            if depth == 0 and self.peek(distance).text != "[":
                return self.peek(distance).text == "("

    def constructor_type(self) -> TypeSpecifier:
        """A type's name with array sizes."""
        word = self.advance()
        return TypeSpecifier(word.line, word.text, None, self.array_sizes())

    def array_sizes(self) -> list[Expression | None]:
        """``[size]`` or ``[]``, any number of them."""
        sizes: list[Expression | None] = []
        while self.at("["):
            self.advance()
            sizes.append(None if self.at("]") else self.conditional_expression())
            self.expect("]")
            if len(sizes) > 8:
                self.fail("too many array dimensions")
        return sizes

    def arguments(self) -> list[Expression]:
        """Arguments in parentheses."""
        self.expect("(")
        if self.accept(")"):
            return []
        if self.at("void") and self.peek().text == ")":
            self.advance()
            self.advance()
            return []
        arguments = [self.assignment_expression()]
        while self.accept(","):
            arguments.append(self.assignment_expression())
        self.expect(")")
        return arguments
