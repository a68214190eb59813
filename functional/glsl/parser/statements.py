"""Parsing statements and whole shaders."""

from ..syntax import (
    Case,
    Compound,
    Declaration,
    DeclarationStatement,
    DoWhile,
    Expression,
    ExpressionStatement,
    For,
    FunctionDefinition,
    FunctionPrototype,
    If,
    Jump,
    Statement,
    Switch,
    VariableDeclaration,
    While,
)
from .declarations import DeclarationParser


class Parser(DeclarationParser):
    """Statements, functions, translation unit."""

    def translation_unit(self) -> list[Declaration]:
        """All declarations of a shader, in order.

        Raises
        ------
        ShaderError
            At the first word that matches no rule of the grammar.
        """
        declarations: list[Declaration] = []
        while self.word.kind != "end":
            if self.version >= 300 and self.accept(";"):
                continue
            declaration = self.declaration()
            if isinstance(declaration, FunctionPrototype) and not self.accept(";"):
                declaration = FunctionDefinition(declaration.line, declaration, self.compound())
            declarations.append(declaration)
        return declarations

    def compound(self) -> Compound:
        """Statements in braces."""
        line = self.expect("{").line
        self.enter()
        statements = []
        while not self.at("}"):
            if self.word.kind == "end":
                self.fail("missing '}'")
            statements.append(self.statement())
        self.leave()
        self.expect("}")
        return Compound(line, statements)

    def statement(self) -> Statement:
        """Any statement."""
        word = self.word
        if self.at("{"):
            return self.compound()
        if word.kind == "keyword":
            method = {
                "if": self._if,
                "for": self._for,
                "while": self._while,
                "do": self._do,
                "switch": self._switch,
                "case": self._case,
                "default": self._case,
                "return": self._jump,
                "break": self._jump,
                "continue": self._jump,
                "discard": self._jump,
            }.get(word.text)
            if method:
                self.enter()
                result = method()
                self.leave()
                return result
        return self._simple()

    def _simple(self) -> Statement:
        line = self.word.line
        if self.accept(";"):
            return ExpressionStatement(line, None)
        if self.at_declaration():
            declaration = self.declaration()
            if isinstance(declaration, FunctionPrototype):
                self.fail("functions are declared at global scope only")
            return DeclarationStatement(line, declaration)
        expression = self.expression()
        self.expect(";")
        return ExpressionStatement(line, expression)

    def _if(self) -> Statement:
        line = self.advance().line
        self.expect("(")
        condition = self.expression()
        self.expect(")")
        then = self.statement()
        otherwise = self.statement() if self.accept("else") else None
        return If(line, condition, then, otherwise)

    def _condition(self) -> Expression | VariableDeclaration:
        """An expression, or the declaration of one initialized variable, up to the closing word."""
        if not self.at_declaration():
            return self.expression()
        line = self.word.line
        qualifiers = self.qualifiers()
        specifier = self.type_specifier()
        declarator = self._declarator()
        if declarator.initializer is None:
            self.fail("a variable declared in a condition needs an initializer")
        return VariableDeclaration(line, qualifiers, specifier, [declarator])

    def _for(self) -> Statement:
        line = self.advance().line
        self.expect("(")
        initial = self._simple()
        condition = None if self.at(";") else self._condition()
        self.expect(";")
        step = None if self.at(")") else self.expression()
        self.expect(")")
        return For(line, initial, condition, step, self.statement())

    def _while(self) -> Statement:
        line = self.advance().line
        self.expect("(")
        condition = self._condition()
        self.expect(")")
        return While(line, condition, self.statement())

    def _do(self) -> Statement:
        line = self.advance().line
        body = self.statement()
        self.expect("while")
        self.expect("(")
        condition = self.expression()
        self.expect(")")
        self.expect(";")
        return DoWhile(line, body, condition)

    def _switch(self) -> Statement:
        line = self.advance().line
        self.expect("(")
        selector = self.expression()
        self.expect(")")
        return Switch(line, selector, self.compound().statements)

    def _case(self) -> Statement:
        word = self.advance()
        value = self.expression() if word.text == "case" else None
        self.expect(":")
        return Case(word.line, value)

    def _jump(self) -> Statement:
        word = self.advance()
        value = None
        if word.text == "return" and not self.at(";"):
            value = self.expression()
        self.expect(";")
        return Jump(word.line, word.text, value)
