"""Runs to report on."""

from tests.tools.conftest import tilegpu  # noqa: F401
