"""Where tests find material that is not part of the repository."""

import os
from pathlib import Path

import pytest


def _folder(variable: str, what: str) -> Path:
    value = os.environ.get(variable, "")
    folder = Path(value)
    if not value or not folder.is_dir():
        pytest.skip(f"needs {what}: set {variable} to their folder")
    return folder


@pytest.fixture(scope="session")
def captures() -> Path:
    """Folder of apitrace captures with reference images beside them."""
    return _folder("TILEGPU_CAPTURES", "captured applications")


@pytest.fixture(scope="session")
def deqp() -> Path:
    """Folder of dEQP shader test files (gles2/, gles3/)."""
    return _folder("TILEGPU_DEQP", "dEQP shader test files")
