"""Reading dEQP's shader test files: groups of cases with values, templates and expectations."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_TOKEN = re.compile(
    r'\s+|#[^\n]*|""(?P<block>(?:[^"]|"(?!"))*)""|"(?P<string>(?:[^"\\]|\\.)*)"'
    r"|(?P<word>[A-Za-z_][\w.\-]*)|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uf]?)|(?P<mark>[{}\[\]|=;,()])",
    re.S,
)
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass
class Value:
    """An input, output or uniform with a row of numbers per test row."""

    storage: str
    type: str
    name: str
    rows: list[list[float]]


@dataclass
class Case:
    """One case; ``stages`` maps "both", "vertex" or "fragment" to source text."""

    name: str
    expect: str = "pass"
    version: int = 100
    requires: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    stages: dict[str, str] = field(default_factory=dict)


def _unindented(block: str) -> str:
    """Source without the indentation of its first line, backslash escapes undone."""
    lines = block.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines:
        return ""
    indent = re.match(r"[ \t]*", lines[0]).group()
    text = "\n".join(line[len(indent):] if line.startswith(indent) else line.lstrip(" \t") for line in lines)
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text, flags=re.S)


class Reader:
    """A cursor over a file's tokens."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            assert match, text[position : position + 40]
            position = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match[match.lastgroup]))
        self.at = 0

    def next(self) -> str:
        """The next token's text."""
        self.at += 1
        return self.tokens[self.at - 1][1]

    def peek(self) -> str:
        """The text that comes next, or nothing."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def cases(self, prefix: str = "") -> list[Case]:
        """Everything up to the end of the group or file."""
        found: list[Case] = []
        while self.peek() not in ("", "end"):
            word = self.next()
            if word == "group":
                name = self.next()
                self.next()
                found += self.cases(f"{prefix}{name}.")
                self.next()
            elif word == "case":
                found.append(self._case(prefix + self.next()))
            elif word == "import":
                self.next()
            else:
                raise AssertionError(word)
        return found

    def _case(self, name: str) -> Case:
        case = Case(name)
        while (word := self.next()) != "end":
            if word == "expect":
                case.expect = self.next()
            elif word == "version":
                case.version = int(self.next())
                self.next()
            elif word in ("desc", "pipeline_program"):
                self.next()
            elif word == "require":
                case.requires.append(self.next())
            elif word == "values":
                self._values(case)
            elif word in ("both", "vertex", "fragment"):
                case.stages[word] = _unindented(self.next())
            else:
                raise AssertionError((name, word))
        return case

    def _values(self, case: Case) -> None:
        self.next()
        while self.peek() != "}":
            storage, of, name = self.next(), self.next(), self.next()
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
                numbers.append(float(text.rstrip("uf")))
            if depth == 0 and self.peek() not in ("(", "|", "]", ";", "}"):
                return numbers


def read_cases(path: Path) -> list[Case]:
    """All cases of a file."""
    return Reader(path.read_text(encoding="utf-8")).cases()
