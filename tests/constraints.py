"""Exact versions of what is installed for the tests, as constraints: `python -m tests.constraints`.

They are those of all packages that pyproject.toml names, its extras included, and of what these need.
"""

from __future__ import annotations

import platform
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement

from .minimums import PYPROJECT


def named() -> list[Requirement]:
    """Requirements of the project and of all its extras."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(line) for line in (*project["dependencies"], *(line for extra in extras for line in extra))]


def pinned() -> dict[str, str]:
    """Versions by the normalized names of distributions."""
    versions: dict[str, str] = {}
    left = [(requirement, extra) for requirement in named() for extra in ("", *requirement.extras)]
    seen = set()
    while left:
        requirement, extra = left.pop()
        name = normalized(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        found = distribution(requirement.name)
        versions[name] = found.version
        left += [(needed, e) for needed in _needs(found.requires or [], extra) for e in ("", *needed.extras)]
    return dict(sorted(versions.items()))


def normalized(name: str) -> str:
    """A distribution's name in the form in which names are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _needs(lines: list[str], extra: str) -> Iterator[Requirement]:
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            try:
                distribution(requirement.name)
            except PackageNotFoundError:
                # An extra that this environment was made without.
                continue
            yield requirement


if __name__ == "__main__":
    print(f"# Versions that the tests ran with on Python {platform.python_version()}: pip install -c constraints.txt .")
    print("\n".join(f"{name}=={version}" for name, version in pinned().items()))
