"""The command."""

from tests.tools.conftest import tilegpu  # noqa: F401
