"""The preprocessor: directives, conditional groups, versions, extensions and pragmas."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import ShaderError
from .conditions import Condition
from .macros import Macro, MacroTable
from .tokens import Token, cut_lines, source_version, tokens_of

EXTENSIONS_100 = (
    "GL_OES_standard_derivatives",
    "GL_EXT_shader_texture_lod",
    "GL_EXT_draw_buffers",
    "GL_EXT_frag_depth",
    "GL_OES_EGL_image_external",
    "GL_EXT_shadow_samplers",
    "GL_OES_texture_3D",
    "GL_EXT_shader_non_constant_global_initializers",
    "GL_KHR_blend_equation_advanced",
)
EXTENSIONS_300 = (
    "GL_OES_EGL_image_external_essl3",
    "GL_EXT_shader_non_constant_global_initializers",
    "GL_NV_shader_noperspective_interpolation",
    "GL_KHR_blend_equation_advanced",
)
EXTENSIONS_310 = (*EXTENSIONS_300, "GL_OES_shader_image_atomic")
_EXTENSIONS = {100: EXTENSIONS_100, 300: EXTENSIONS_300, 310: EXTENSIONS_310, 320: EXTENSIONS_310}
MAXIMUM_CONDITION_DEPTH = 256


@dataclass(frozen=True)
class Desktop:
    """Rules that the preprocessor takes from desktop GLSL.

    Attributes
    ----------
    rules
        Version of GLSL ES by whose rules it is compiled.
    macros
        Predefined ones.
    extensions
        Extensions to GLSL ES that it has in itself.
    requirable
        Extensions that may be required.
    """

    rules: int
    macros: Mapping[str, str]
    extensions: frozenset[str]
    requirable: frozenset[str]


@dataclass(slots=True)
class Preprocessed:
    """Output of the preprocessor for the lexer.

    ``extensions`` maps enabled extensions to their behaviour ("require", "enable", "warn"). The tokens' lines are those
    of the source text; ``renumbered`` holds, for each ``#line`` directive, the first line that it counts and what it
    adds to it.
    """

    version: int = 100
    tokens: list[Token] = field(default_factory=list)
    extensions: dict[str, str] = field(default_factory=dict)
    invariant_all: bool = False
    renumbered: list[tuple[int, int]] = field(default_factory=list)

    def reported(self, error: ShaderError) -> ShaderError:
        """An error in the tokens, with its line as the shader's ``#line`` directives count."""
        place = bisect_right(self.renumbered, error.line, key=lambda part: part[0])
        if error.line < 1 or not place:
            return error
        return ShaderError(error.message, error.line + self.renumbered[place - 1][1], error.name)


@dataclass(slots=True)
class _Group:
    """A conditional group: whether its current part is active, whether a part was, whether #else was seen."""

    live: bool
    taken: bool
    parent_live: bool
    seen_else: bool = False


class Preprocessor:
    """Runs over the lines of one shader."""

    def __init__(self, source: str, name: str, stage: str, desktop: Desktop | None = None) -> None:
        self.name = name
        self.stage = stage
        self.desktop = desktop
        self.result = Preprocessed(desktop.rules if desktop else source_version(source))
        self.lines = list(cut_lines(source, name, self.result.version))
        self.table = MacroTable(name)
        self.groups: list[_Group] = []
        self.line_offset = 0
        self.seen_line = False
        self.seen_text = False
        self.run_of_text: list[Token] = []
        self._predefine("__FILE__", "0")
        if desktop is None:
            self._predefine("GL_ES", "1")
            self._predefine("__VERSION__", str(self.result.version))
            self._predefine("GL_FRAGMENT_PRECISION_HIGH", "1")
        else:
            self.result.extensions = dict.fromkeys(desktop.extensions, "enable")
            for macro, value in desktop.macros.items():
                self._predefine(macro, value)

    def run(self) -> Preprocessed:
        """Process every line.

        Raises
        ------
        ShaderError
            For a malformed directive, ``#error``, or a macro that does not expand.
        """
        for extension in () if self.desktop else _EXTENSIONS[self.result.version]:
            self._predefine(extension, "1")
        number = 1
        for cut in self.lines:
            if isinstance(cut, str) and "#" not in cut and not self._live():
                number += 1
                continue
            *line, end = tokens_of(cut, number) if isinstance(cut, str) else cut
            number = end.line + 1
            if not line:
                continue
            if self.line_offset:
                line = [token._replace(line=token.line + self.line_offset) for token in line]
            if line[0].text == "#":
                self._flush()
                self._directive(line, end.line)
            elif self._live():
                self.run_of_text += line
                self.seen_text = True
            self.seen_line = True
        self._flush()
        if self.groups:
            raise self._error("#if without #endif", number - 1 + self.line_offset)
        return self.result

    def _error(self, message: str, line: int) -> ShaderError:
        return ShaderError(message, line, self.name)

    def _predefine(self, name: str, value: str) -> None:
        self.table.macros[name] = Macro(name, None, (Token("number", value, 0),))

    def _live(self) -> bool:
        return not self.groups or self.groups[-1].live

    def _flush(self) -> None:
        """Expand the text gathered since the last directive: invocations may span lines, not directives."""
        expanded = self.table.expand(self.run_of_text)
        if self.line_offset:
            expanded = [token._replace(line=token.line - self.line_offset) for token in expanded]
        self.result.tokens += expanded
        self.run_of_text = []

    def _directive(self, line: list[Token], physical_line: int) -> None:
        self.table.line = line[0].line
        if len(line) == 1:
            return
        name, rest = line[1].text, line[2:]
        if name in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self._conditional(name, line, rest)
            return
        if not self._live():
            return
        handler = {
            "define": self._define,
            "undef": self._undefine,
            "error": self._user_error,
            "pragma": self._pragma,
            "extension": self._extension,
            "version": self._version,
        }.get(name)
        if name == "line":
            self._line(rest, line[0].line, physical_line)
        elif handler is None:
            raise self._error(f"unknown directive #{name}", line[0].line)
        else:
            handler(rest, line[0].line)

    def _conditional(self, name: str, line: list[Token], rest: list[Token]) -> None:
        number = line[0].line
        if name in ("if", "ifdef", "ifndef"):
            live = self._live()
            if len(self.groups) >= MAXIMUM_CONDITION_DEPTH:
                raise self._error("conditions nested too deeply", number)
            value = live and self._test(name, rest, number)
            self.groups.append(_Group(value, value, live))
            return
        if not self.groups:
            raise self._error(f"#{name} without #if", number)
        group = self.groups[-1]
        if name == "endif":
            self._expect_nothing(rest, name, number)
            self.groups.pop()
            return
        if group.seen_else:
            raise self._error(f"#{name} after #else", number)
        if name == "else":
            if group.parent_live:
                self._expect_nothing(rest, name, number)
            group.seen_else = True
            group.live = group.parent_live and not group.taken
        else:
            group.live = group.parent_live and not group.taken and Condition(rest, self.table).value()
        group.taken |= group.live

    def _test(self, name: str, rest: list[Token], number: int) -> bool:
        if name == "if":
            return Condition(rest, self.table).value()
        if not rest or rest[0].kind != "identifier":
            raise self._error(f"#{name} needs a macro name", number)
        self._expect_nothing(rest[1:], name, number)
        is_defined = rest[0].text in self.table.macros or rest[0].text == "__LINE__"
        return is_defined == (name == "ifdef")

    def _expect_nothing(self, rest: list[Token], name: str, number: int) -> None:
        if rest:
            raise self._error(f"unexpected {rest[0].text!r} after #{name}", number)

    def _macro_name(self, rest: list[Token], directive: str, number: int) -> str:
        if not rest or rest[0].kind != "identifier":
            raise self._error(f"#{directive} needs a macro name", number)
        name = rest[0].text
        reserved = name == "defined" and self.result.version < 300
        if reserved or name.startswith("GL_") or name in ("__LINE__", "__FILE__", "__VERSION__"):
            raise self._error(f"macro name {name} is reserved", number)
        return name

    def _define(self, rest: list[Token], number: int) -> None:
        name = self._macro_name(rest, "define", number)
        body = rest[1:]
        parameters: tuple[str, ...] | None = None
        if body and body[0].text == "(" and not body[0].space_before:
            texts = [token.text for token in body]
            if ")" not in texts:
                raise self._error(f"parameters of macro {name} do not end", number)
            end = texts.index(")")
            inside = body[1:end]
            names = inside[::2]
            separated = all(t.text == "," for t in inside[1::2]) and (len(inside) % 2 == 1 or not inside)
            if not separated or any(t.kind != "identifier" for t in names):
                raise self._error(f"malformed parameters of macro {name}", number)
            parameters = tuple(t.text for t in names)
            if len(set(parameters)) < len(parameters):
                raise self._error(f"macro {name} has two parameters of one name", number)
            body = body[end + 1 :]
        if any(token.text == "##" for token in body):
            raise self._error("'##' is not part of GLSL ES", number)
        macro = Macro(name, parameters, tuple(body))
        previous = self.table.macros.get(name)
        if previous and not previous.same_as(macro):
            raise self._error(f"macro {name} is already defined differently", number)
        self.table.macros[name] = macro

    def _undefine(self, rest: list[Token], number: int) -> None:
        name = self._macro_name(rest, "undef", number)
        self._expect_nothing(rest[1:], "undef", number)
        self.table.macros.pop(name, None)

    def _user_error(self, rest: list[Token], number: int) -> None:
        raise self._error("#error " + " ".join(token.text for token in rest), number)

    def _pragma(self, rest: list[Token], number: int) -> None:
        texts = [token.text for token in rest]
        if texts == ["STDGL", "invariant", "(", "all", ")"]:
            if self.result.version >= 300 and self.stage == "fragment":
                raise self._error("#pragma STDGL invariant(all) is not for fragment shaders", number)
            self.result.invariant_all = True

    def _extension(self, rest: list[Token], number: int) -> None:
        if self.seen_text and self.desktop is None:
            raise self._error("#extension must come before everything but directives", number)
        texts = [token.text for token in rest]
        if len(texts) != 3 or texts[1] != ":" or rest[0].kind != "identifier":
            raise self._error("malformed #extension", number)
        name, _, behaviour = texts
        if behaviour not in ("require", "enable", "warn", "disable"):
            raise self._error(f"unknown extension behaviour {behaviour!r}", number)
        if name == "all":
            if behaviour in ("require", "enable"):
                raise self._error(f"#extension all cannot be {behaviour}", number)
            if self.desktop is None:
                self.result.extensions.clear()
            return
        if self.desktop is not None:
            if behaviour == "require" and name not in self.desktop.requirable:
                raise self._error(f"extension {name} is not supported", number)
            return
        extensions = _EXTENSIONS[self.result.version]
        if name not in extensions:
            if behaviour == "require":
                raise self._error(f"extension {name} is not supported", number)
            return
        if behaviour == "disable":
            self.result.extensions.pop(name, None)
        else:
            self.result.extensions[name] = behaviour

    def _version(self, rest: list[Token], number: int) -> None:
        texts = [token.text for token in rest]
        if self.seen_line:
            raise self._error("#version must come first", number)
        if self.desktop is not None:
            return
        if texts not in (["100"], *([version, "es"] for version in ("300", "310", "320"))):
            raise self._error(f"version {' '.join(texts)} is not supported; use 100, 300 es, 310 es or 320 es", number)

    def _line(self, rest: list[Token], number: int, physical_line: int) -> None:
        numbers = self.table.expand(rest)
        if not 1 <= len(numbers) <= 2 or not all(t.kind == "number" and t.text.isdigit() for t in numbers):
            raise self._error("malformed #line", number)
        target = int(numbers[0].text[:9])
        self.line_offset = target - (physical_line + 1)
        self.result.renumbered.append((physical_line + 1, self.line_offset))
        if len(numbers) == 2:
            self._predefine("__FILE__", numbers[1].text)
