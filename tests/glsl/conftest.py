"""Mesa for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from ..conftest import missing
from .mesa import Mesa


@cache
def _mesa() -> Mesa | None:
    try:
        return Mesa()
    except Exception:
        return None


@pytest.fixture
def mesa() -> Iterator[Mesa]:
    """Made current for each test: tests of other folders have contexts of their own in this process."""
    found = _mesa()
    if found is None:
        missing("needs moderngl and EGL: pip install moderngl; apt-get install libegl1 libgl1-mesa-dri")
    assert found is not None
    with found.context:
        yield found
