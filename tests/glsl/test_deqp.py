"""dEQP's shader tests: what is accepted, what is rejected, what is computed."""

from pathlib import Path

import pytest

from .deqp_format import read_cases
from .deqp_runner import agrees, run_case, variants

GLES2 = [
    "conditionals", "constant_expressions", "constants", "conversions", "declarations", "fragdata", "functions",
    "invalid_constant_expressions", "invalid_implicit_conversions", "invalid_texture_functions", "keywords",
    "linkage", "loops", "misc", "preprocessor", "qualification_order", "reserved_operators", "scoping", "swizzles",
]


def _failures(path: Path) -> list[str]:
    found = []
    for case in read_cases(path):
        for suffix, vertex, fragment in variants(case):
            result = run_case(case, vertex, fragment)
            if not agrees(case, result):
                found.append(f"{case.name}{suffix}: expected {case.expect}, got {result}")
    return found


@pytest.mark.parametrize("name", GLES2)
def test_gles2(deqp: Path, name: str) -> None:
    assert _failures(deqp / "gles2" / f"{name}.test") == []
