"""The command and a browser."""

from tests.tools.conftest import tilegpu  # noqa: F401
