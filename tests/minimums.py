"""Lowest versions that pyproject.toml allows, as requirements: `python -m tests.minimums [EXTRA ...]`."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest(extras: Sequence[str] = ()) -> list[str]:
    """`name==version` of every dependency, those of extras included."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    named = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return [f"{r.name}=={_minimum(r)}" for r in map(Requirement, dict.fromkeys(named))]


def _minimum(requirement: Requirement) -> str:
    (minimum,) = (part.version for part in requirement.specifier if part.operator == ">=")
    return minimum


if __name__ == "__main__":
    print("\n".join(lowest(sys.argv[1:])))
