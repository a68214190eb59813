"""DRAMsim3's INI files, read as its own reader (INIReader, of inih) reads them.

A `;` begins a comment at the start of a line or after white space; a `#` does at the start of a line only. A number is
what its text begins with, as C's strtol and strtod have it: `1.25;` is 1.25, `0x10` is 16, `010` is 8. Values of one
name are joined by line breaks, so that of several numbers the first holds. An indented line goes on with the value of
the line before it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from tilegpu.functional.errors import UserError

SPELLINGS = {"tREFI": "REFI"}
"""Fields that INI files in use have under another name."""

WHITE = " \t\n\v\f\r"
COMMENT = re.compile(rf"(?<=[{WHITE}]);")
INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
HEXADECIMAL = r"0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?[0-9]+)?"
REAL = re.compile(rf"[+-]?({HEXADECIMAL}|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)")
TRUTH = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)


class IniError(UserError):
    """Error in an INI file; `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class WrittenValue(NamedTuple):
    """A value as written in a file, or what goes on with one."""

    line: int
    text: str
    goes_on: bool


class IniWarning(NamedTuple):
    """Something in a file that is not read as it seems to be meant."""

    line: int
    message: str


Entries = dict[tuple[str, str], list[WrittenValue]]
Values = dict[str, dict[str, Any]]


def read_ini(text: str, kinds: Mapping[str, type[BaseModel]]) -> tuple[Values, list[IniWarning]]:
    """Values of the sections and fields that a specification has.

    Parameters
    ----------
    text
        The file.
    kinds
        The sections, by name.

    Returns
    -------
    tuple[Values, list[IniWarning]]
        Per section, the fields that the file gives; and what should be reported, by line.

    Raises
    ------
    IniError
        Where a line is none of a section, a value, or a comment, or a value is neither what its field takes nor what
        DRAMsim3 would make of it.
    """
    warnings: list[IniWarning] = []
    entries = _entries(text, warnings)
    values: Values = {}
    for section, kind in kinds.items():
        values[section] = {}
        for name, field in kind.model_fields.items():
            given = _given(entries, section, name, warnings)
            if given:
                # The type of a field that takes one of a few values is that of its default.
                taken = field.annotation if field.annotation in _READ else type(field.default)
                value = _READ.get(taken, _text)(f"{section}.{name}", given, warnings)
                if value is not None:
                    values[section][name] = value
    return values, sorted(warnings)


def _entries(text: str, warnings: list[IniWarning]) -> Entries:
    """Values by section and name, both in small letters."""
    entries: Entries = {}
    section = name = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(WHITE)
        if not stripped or stripped[0] in ";#":
            continue
        goes_on = bool(name) and line[0] in WHITE
        if goes_on:
            value = _uncommented(stripped)
            if (section.lower(), name.lower()) in entries:
                warnings.append(
                    IniWarning(number, f"not read: it is indented, so it goes on with {name}, as in DRAMsim3")
                )
        elif stripped[0] == "[":
            section, closing, _ = _uncommented(stripped[1:]).partition("]")
            if not closing:
                raise IniError(number, f"no ] after [{section}")
            name = ""
            continue
        else:
            parts = re.match(r"([^=:]*)[=:](.*)", _uncommented(stripped))
            if parts is None:
                raise IniError(number, f"expected `name = value`, not {shortened(stripped)}")
            name, value = parts[1].strip(WHITE), parts[2].strip(WHITE)
        if value:
            entries.setdefault((section.lower(), name.lower()), []).append(WrittenValue(number, value, goes_on))
    return entries


def _uncommented(text: str) -> str:
    return COMMENT.split(text, maxsplit=1)[0].rstrip(WHITE)


def _given(entries: Entries, section: str, name: str, warnings: list[IniWarning]) -> list[WrittenValue]:
    given = entries.get((section, name.lower()), [])
    other = entries.get((section, SPELLINGS[name].lower()), []) if name in SPELLINGS else []
    if given and other:
        warnings.append(IniWarning(other[0].line, f"{section}.{SPELLINGS[name]} is not read: {name} is given too"))
    return given or other


def _number(pattern: re.Pattern[str], convert: Callable[[str], Any]) -> Callable[..., Any]:
    def read(key: str, given: list[WrittenValue], warnings: list[IniWarning]) -> Any:
        line, text, _ = given[0]
        if text[0] == ";":
            return None
        match = pattern.match(text)
        if match is None:
            raise IniError(line, f"{key}: expected a number, not {shortened(text)}")
        rest = text[match.end() :].lstrip(WHITE)
        if rest and rest[0] not in ";#":
            warnings.append(IniWarning(line, f"{key}: {shortened(text)} is read as {match[0]}, as by DRAMsim3"))
        for again in [other for other in given[1:] if not other.goes_on]:
            warnings.append(IniWarning(again.line, f"{key} is given again: {match[0]} of line {line} holds"))
        return convert(match[0])

    return read


def _integer(text: str) -> Any:
    digits = text.lstrip("+-")
    if len(digits) > 20:
        return text
    octal = digits[0] == "0" and digits[1:2] not in ("x", "X")
    value = int(digits, 8 if octal else 0)
    return -value if text[0] == "-" else value


def _real(text: str) -> float:
    try:
        return float.fromhex(text) if "x" in text.lower() else float(text)
    except OverflowError:
        return math.inf


def _truth(key: str, given: list[WrittenValue], warnings: list[IniWarning]) -> bool | None:
    if len(given) > 1:
        warnings.append(IniWarning(given[1].line, f"{key} is given again: its default holds, as in DRAMsim3"))
        return None
    line, text, _ = given[0]
    if text.lower() not in TRUTH:
        raise IniError(line, f"{key}: expected true or false, not {shortened(text)}")
    return TRUTH[text.lower()]


def _text(key: str, given: list[WrittenValue], warnings: list[IniWarning]) -> str:
    if len(given) > 1:
        again = "goes on here, indented" if given[1].goes_on else "is given again"
        raise IniError(given[1].line, f"{key} {again}; it is given in line {given[0].line}: leave that alone")
    return given[0].text


_READ: dict[Any, Callable[..., Any]] = {
    bool: _truth,
    int: _number(INTEGER, _integer),
    float: _number(REAL, _real),
}


def shortened(value: object) -> str:
    """A value as a message shows it."""
    shown = repr(value)
    return shown if len(shown) <= 50 else shown[:50] + "..."
