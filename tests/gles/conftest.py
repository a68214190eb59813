"""A context of this renderer and one of Mesa's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .session import Session


@pytest.fixture
def both() -> Iterator[Session]:
    """A context here and one on Mesa."""
    session = Session(3, mesa=True)
    yield session
    assert session.mesa is not None
    session.mesa.close()


@pytest.fixture
def both_31() -> Iterator[Session]:
    """A context here and one of OpenGL ES 3.1 on Mesa."""
    session = Session(3, mesa=True, minor=1)
    yield session
    assert session.mesa is not None
    session.mesa.close()
