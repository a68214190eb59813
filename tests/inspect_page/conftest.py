"""The command, for tests of the page about a frame."""

from tests.tools.conftest import tilegpu  # noqa: F401
