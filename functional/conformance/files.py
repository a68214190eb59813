"""Reads dEQP's shader test files: groups of cases with values, templates and expectations."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from ..errors import UserError

_TOKEN = re.compile(
    r'\s+|#[^\n]*|""(?P<block>(?:[^"]|"(?!"))*)""|"(?P<string>(?:[^"\\]|\\.)*)"'
    r"|(?P<word>[A-Za-z_][\w.\-]*)|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uf]?)|(?P<mark>[{}\[\]|=;,()<>])",
    re.S,
)
MAXIMUM_GROUP_DEPTH = 32
OTHER_STAGES = ("geometry", "tessellation_control", "tessellation_evaluation", "compute")
_TRUTH = {"true": 1.0, "false": 0.0}


class ConformanceError(UserError):
    """A test file that is not in dEQP's format."""


@dataclass(frozen=True, slots=True)
class Value:
    """An input, output or uniform with a row of numbers per test row."""

    storage: str
    type: str
    name: str
    rows: list[list[float]]


@dataclass(slots=True)
class Case:
    """One case; ``stages`` maps "both", "vertex" or "fragment" to source text.

    ``expect`` is "pass", "compile_fail", "link_fail", "compile_or_link_fail", "build_successful" or "validation_fail",
    as in the file; ``requires`` are the texts of its requirements. ``programs`` are separable programs of a pipeline,
    each with its source texts by stage.
    """

    name: str
    expect: str = "pass"
    version: int = 100
    requires: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    stages: dict[str, str] = field(default_factory=dict)
    programs: list[dict[str, str]] = field(default_factory=list)


def _unindented(block: str) -> str:
    """Source without the indentation of its first line, with backslash escapes decoded."""
    lines = block.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines:
        return ""
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
    text = "\n".join(line[len(indent) :] if line.startswith(indent) else line.lstrip(" \t") for line in lines)
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text, flags=re.S)


class Reader:
    """A cursor over a file's tokens.

    Parameters
    ----------
    text : str
        The file.
    name : str
        Name that begins every message.
    """

    def __init__(self, text: str, name: str = "test file") -> None:
        self.name = name
        self.tokens: list[tuple[str, str, int]] = []
        position, line = 0, 1
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ConformanceError(f"{name}:{line}: unexpected {text[position : position + 20]!r}")
            position = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match[match.lastgroup], line))
            line += match[0].count("\n")
        self.at = 0

    def fail(self, message: str) -> NoReturn:
        """Raise a :class:`ConformanceError` at the current token."""
        line = self.tokens[min(self.at, len(self.tokens) - 1)][2] if self.tokens else 1
        raise ConformanceError(f"{self.name}:{line}: {message}")

    def next(self) -> str:
        """The next token's text."""
        if self.at >= len(self.tokens):
            self.fail("the file ends early")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def peek(self) -> str:
        """Consume the text if it comes next."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def cases(self, prefix: str = "", depth: int = 0) -> list[Case]:
        """Everything up to the end of the group or file."""
        if depth > MAXIMUM_GROUP_DEPTH:
            self.fail("groups nested too deeply")
        cases: list[Case] = []
        while self.at < len(self.tokens) and self.peek() != "end":
            word = self.next()
            if word == "group":
                name = self.next()
                if self.tokens[self.at][0] == "string":
                    self.next()
                cases += self.cases(f"{prefix}{name}.", depth + 1)
                if self.next() != "end":
                    self.fail(f"group {name} does not end")
            elif word == "case":
                cases.append(self._case(prefix + self.next()))
            elif word == "import":
                self.next()
            else:
                self.fail(f"unexpected {word!r}")
        if depth == 0 and self.at < len(self.tokens):
            self.fail("end without group")
        return cases

    def _case(self, name: str) -> Case:
        case = Case(name)
        while (word := self.next()) != "end":
            if word == "expect":
                case.expect = self.next()
            elif word == "version":
                case.version = self._integer(self.next())
                if self.next() != "es":
                    self.fail("only versions of GLSL ES are supported")
            elif word in ("desc", "output_color", "output"):
                self.next()
            elif word == "pipeline_program":
                case.programs.append(self._program(case))
            elif word == "require":
                case.requires.append(self._requirement())
            elif word == "values":
                self._values(case)
            elif word in ("both", "vertex", "fragment", *OTHER_STAGES):
                case.stages[word] = _unindented(self.next())
            else:
                self.fail(f"unexpected {word!r} in case {name}")
        return case

    def _program(self, case: Case) -> dict[str, str]:
        """The stages of a separable program; those that are active are those that have a source."""
        stages: dict[str, str] = {}
        while (word := self.next()) != "end":
            if word == "active_stages":
                while self.next() != "}":
                    pass
            elif word in ("vertex", "fragment", *OTHER_STAGES):
                stages[word] = _unindented(self.next())
            elif word == "require":
                case.requires.append(self._requirement())
            else:
                self.fail(f"unexpected {word!r} in a program of case {case.name}")
        return stages

    def _requirement(self) -> str:
        """A requirement's words: a name, an extension with alternatives and stages, or a limit."""
        words = [self.next()]
        if words[0] == "limit":
            words += [self.next(), self.next(), self.next()]
        while self.peek() in ("{", "in") or words[-1:] == ["extension"]:
            words.append(self.next())
            while words[-1] not in ("}",) and "{" in words and words.count("{") > words.count("}"):
                words.append(self.next())
        return " ".join(words)

    def _number(self, text: str) -> float:
        try:
            return float(text.rstrip("uf"))
        except ValueError:
            self.fail(f"{text!r} is not a number")

    def _integer(self, text: str) -> int:
        return int(self._number(text))

    def _values(self, case: Case) -> None:
        self.next()
        while self.peek() != "}":
            storage, of, name = self.next(), self.next(), self.next()
            while self.peek() != "=":
                name += self.next()
            self.next()
            rows: list[list[float]] = []
            if self.peek() == "[":
                while self.next() in ("[", "|"):
                    rows.append(self._row())
                self.at -= 1
                self.next()
            else:
                rows.append(self._row())
            if self.peek() == ";":
                self.next()
            case.values.append(Value(storage, of, name, rows))
        self.next()

    def _row(self) -> list[float]:
        numbers: list[float] = []
        depth = 0
        while True:
            text = self.peek()
            if text in ("|", "]", ";", "}") and depth == 0:
                return numbers
            self.next()
            depth += {"(": 1, ")": -1}.get(text, 0)
            if text in _TRUTH:
                numbers.append(_TRUTH[text])
            elif re.match(r"[-+.\d]", text):
                numbers.append(self._number(text))
            if depth == 0 and self.peek() not in ("(", "|", "]", ";", "}"):
                return numbers


def read_cases(path: Path) -> list[Case]:
    """All cases of a file.

    Raises
    ------
    ConformanceError
        If the file is not in the format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConformanceError(f"{path}: not text") from None
    return Reader(text, str(path)).cases()
