"""Differences that are known: answers that drivers choose, and cases that differ, with the reason."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tilegpu.functional.opengl.limits import INDEXED_LIMITS, LIMITS

_FILE = Path(__file__).with_name("expected_failures.txt")
_COLOR_READ_FORMAT, _COMPRESSED_FORMATS, _VERSION, _EXTENSIONS = 0x8B9B, (0x86A2, 0x86A3), (0x821B, 0x821C), 0x821D
_NUMBERS = (*LIMITS, *INDEXED_LIMITS, _COLOR_READ_FORMAT, *_COMPRESSED_FORMATS, *_VERSION, _EXTENSIONS)
_CHOSEN = {hex(number) for number in _NUMBERS}
_OF_STATE = ("glGetIntegerv", "glGetInteger64v", "glGetIntegeri_v", "glGetFloatv", "glGetBooleanv")


def is_chosen(fault: dict[str, Any]) -> bool:
    """Whether a fault is an answer that drivers choose: a limit, a format, the version, the number of extensions."""
    return fault["kind"] == "answer" and fault["fn"] in _OF_STATE and fault["args"][0] in _CHOSEN


@cache
def expected_failures() -> dict[str, str]:
    """Reasons by case."""
    lines = [line for line in _FILE.read_text().splitlines() if line and not line.startswith("#")]
    return {case: reason for case, _, reason in (line.partition(" ") for line in lines)}
