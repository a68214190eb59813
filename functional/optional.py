"""Packages that only some verbs need, and the extra of the installation that brings each."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import UserError

EXTRAS = {
    "google": "perfetto",
    "matplotlib": "plot",
    "perfetto": "perfetto",
    "picire": "reduce",
    "scipy": "studies",
    "sklearn": "sampling",
    "threadpoolctl": "sampling",
}
"""Extra by package."""
NAMES = {"google": "protobuf"}
"""Distributions that are called otherwise than their packages."""


class MissingPackage(UserError):
    """A package that an extra brings is not installed."""


def optional(module: str, purpose: str) -> Any:
    """Import a module of an optional package.

    Parameters
    ----------
    module
        Name, with dots.
    purpose
        Subject of the message, such as "`tilegpu plot`".

    Raises
    ------
    MissingPackage
        If the package is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # One that it needs itself may be missing, too.
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        name = NAMES.get(package, package)
        raise MissingPackage(f"{purpose} needs {name}: pip install 'tilegpu[{EXTRAS[package]}]'") from None
