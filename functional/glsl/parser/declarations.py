"""Parsing declarations (section 4 of the grammar)."""

from ..syntax import (
    MEMORY_QUALIFIERS,
    Declaration,
    Declarator,
    FunctionPrototype,
    InterfaceBlock,
    InvariantDeclaration,
    Parameter,
    PrecisionDeclaration,
    QualifierDeclaration,
    Qualifiers,
    StructDefinition,
    TypeSpecifier,
    VariableDeclaration,
)
from .expressions import ExpressionParser

_STORAGE = ("uniform", "attribute", "varying", "in", "out", "inout", "buffer", "shared")
_PRECISION = ("lowp", "mediump", "highp")
_INTERPOLATION = ("flat", "smooth", "noperspective")
_QUALIFIERS = (*_STORAGE, *_PRECISION, *MEMORY_QUALIFIERS, "const", "invariant", "centroid", *_INTERPOLATION, "layout")


class DeclarationParser(ExpressionParser):
    """Declarations of variables, types, functions, precisions."""

    def at_declaration(self) -> bool:
        """Whether a declaration, not an expression, begins here."""
        if self.at("struct", "precision", *_QUALIFIERS):
            return True
        if self.at_type_keyword():
            return not self._constructor_ahead()
        if self.word.kind != "identifier":
            return False
        return self.peek().kind == "identifier" or (self.peek().text == "[" and self._array_type_ahead())

    def _behind_brackets(self) -> int:
        """Distance of the first word after ``type [ ... ]``."""
        distance, depth = 1, 0
        while self.peek(distance).kind != "end":
            depth += {"[": 1, "]": -1}.get(self.peek(distance).text, 0)
            if depth == 0 and self.peek(distance).text != "]":
                return distance
            distance += 1
        return distance

    def _constructor_ahead(self) -> bool:
        return self.peek(self._behind_brackets()).text == "("

    def _array_type_ahead(self) -> bool:
        return self.peek(self._behind_brackets()).kind == "identifier"

    def qualifiers(self) -> Qualifiers:
        """Qualifiers in any order; the checker applies the order rules of the version."""
        result = Qualifiers(self.word.line)
        while self.at(*_QUALIFIERS):
            text = self.advance().text
            result.order.append(text)
            if text in result.order[:-1] and text != "layout":
                self.fail(f"qualifier {text!r} is repeated")
            if text in _STORAGE:
                if result.storage:
                    self.fail(f"both {result.storage!r} and {text!r}")
                result.storage = text
            elif text in _PRECISION:
                if result.precision:
                    self.fail(f"both {result.precision!r} and {text!r}")
                result.precision = text
            elif text in _INTERPOLATION:
                if result.interpolation:
                    self.fail(f"both {result.interpolation!r} and {text!r}")
                result.interpolation = text
            elif text in MEMORY_QUALIFIERS:
                result.memory.append(text)
            elif text == "const":
                result.constant = True
            elif text == "layout":
                self._layout(result)
            else:
                setattr(result, text, True)
        return result

    def _layout(self, qualifiers: Qualifiers) -> None:
        self.expect("(")
        while True:
            # ESSL 3.10 makes a keyword of this one.
            name = "shared" if self.accept("shared") else self.expect_identifier("a layout qualifier").text
            value: int | None = None
            if self.accept("="):
                if self.word.kind not in ("int", "uint"):
                    self.fail("layout value must be an integer")
                value = int(self.advance().value)
            qualifiers.layout[name] = value
            if not self.accept(","):
                break
        self.expect(")")

    def type_specifier(self) -> TypeSpecifier:
        """A type: keyword, name or structure, with array sizes in ESSL 3.00."""
        line = self.word.line
        if self.at("struct"):
            structure = self.struct_definition()
            specifier = TypeSpecifier(line, structure.name, structure)
        elif self.at_type_keyword() or self.word.kind == "identifier":
            specifier = TypeSpecifier(line, self.advance().text)
        else:
            self.fail(f"expected a type before {self.word.text!r}")
        if self.at("["):
            if self.version < 300 and not self.lenient:
                self.fail("GLSL ES 1.00 has array sizes after names, not types")
            specifier.sizes = self.array_sizes()
        return specifier

    def struct_definition(self) -> StructDefinition:
        """``struct name { members }``."""
        line = self.expect("struct").line
        name = self.advance().text if self.word.kind == "identifier" else ""
        members = self._members()
        return StructDefinition(line, name, members)

    def _members(self) -> list[VariableDeclaration]:
        self.enter()
        self.expect("{")
        members = []
        while not self.at("}"):
            line = self.word.line
            qualifiers = self.qualifiers()
            specifier = self.type_specifier()
            declarators = [self._declarator(initializer=False)]
            while self.accept(","):
                declarators.append(self._declarator(initializer=False))
            self.expect(";")
            members.append(VariableDeclaration(line, qualifiers, specifier, declarators))
        self.expect("}")
        self.leave()
        return members

    def _declarator(self, initializer: bool = True) -> Declarator:
        word = self.expect_identifier("a name")
        sizes = self.array_sizes()
        value = None
        if self.at("=") and initializer:
            self.advance()
            value = self.assignment_expression()
        return Declarator(word.line, word.text, sizes, value)

    def declaration(self) -> Declaration:
        """Any declaration except a function's body; consumes the semicolon, but not after a prototype."""
        line = self.word.line
        if self.accept("precision"):
            precision = self.advance().text
            if precision not in _PRECISION:
                self.fail("expected lowp, mediump or highp")
            specifier = self.type_specifier()
            self.expect(";")
            return PrecisionDeclaration(line, precision, specifier)
        qualifiers = self.qualifiers()
        only_invariant = qualifiers.order == ["invariant"] and self.word.kind == "identifier"
        if only_invariant and self.peek().text in (",", ";"):
            names = [self.advance().text]
            while self.accept(","):
                names.append(self.expect_identifier("a name").text)
            self.expect(";")
            return InvariantDeclaration(line, names)
        if (self.version >= 300 or qualifiers.layout) and qualifiers.order and self.accept(";"):
            return QualifierDeclaration(line, qualifiers)
        if self.version >= 300 and self.word.kind == "identifier" and self.peek().text == "{":
            return self._interface_block(qualifiers)
        specifier = self.type_specifier()
        if self.word.kind == "identifier" and self.peek().text == "(":
            return self._prototype(qualifiers, specifier)
        return self._variables(qualifiers, specifier)

    def _variables(self, qualifiers: Qualifiers, specifier: TypeSpecifier) -> VariableDeclaration:
        declarators = []
        if not self.at(";"):
            declarators.append(self._declarator())
            while self.accept(","):
                declarators.append(self._declarator())
        self.expect(";")
        return VariableDeclaration(specifier.line, qualifiers, specifier, declarators)

    def _interface_block(self, qualifiers: Qualifiers) -> InterfaceBlock:
        word = self.advance()
        members = self._members()
        instance = None if self.at(";") else self._declarator(initializer=False)
        self.expect(";")
        return InterfaceBlock(word.line, qualifiers, word.text, members, instance)

    def _prototype(self, qualifiers: Qualifiers, return_type: TypeSpecifier) -> FunctionPrototype:
        word = self.advance()
        self.expect("(")
        parameters: list[Parameter] = []
        if self.at("void") and self.peek().text == ")":
            self.advance()
        elif not self.at(")"):
            parameters.append(self._parameter())
            while self.accept(","):
                parameters.append(self._parameter())
        self.expect(")")
        return FunctionPrototype(word.line, qualifiers, return_type, word.text, parameters)

    def _parameter(self) -> Parameter:
        line = self.word.line
        qualifiers = self.qualifiers()
        specifier = self.type_specifier()
        name = self.advance().text if self.word.kind == "identifier" else ""
        return Parameter(line, qualifiers, specifier, name, self.array_sizes())
