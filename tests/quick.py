"""Parameters of which quick runs take some, and `make test-all` all."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def quick_ones(values: Iterable[Any], quick: Container[Any]) -> list[Any]:
    """Parameters in order; those that are not among `quick` are slow."""
    return [pytest.param(value, marks=() if value in quick else pytest.mark.slow) for value in values]
