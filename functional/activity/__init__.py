"""The contract between the passes: schemas, writer, reader, validation and shared kernels.

What is exported is imported when it is first used: its enums and formats need neither numpy nor Arrow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import ActivityError
    from .manifest import Manifest, read_manifest
    from .reader import Activity
    from .schema import FORMAT_VERSION, GROUPS, LEVELS, TABLES
    from .writer import ActivityWriter

_PLACES = {
    "Activity": "reader",
    "ActivityError": "errors",
    "ActivityWriter": "writer",
    "Manifest": "manifest",
    "read_manifest": "manifest",
    **dict.fromkeys(("FORMAT_VERSION", "GROUPS", "LEVELS", "TABLES"), "schema"),
}

__all__ = [
    "FORMAT_VERSION",
    "GROUPS",
    "LEVELS",
    "TABLES",
    "Activity",
    "ActivityError",
    "ActivityWriter",
    "Manifest",
    "read_manifest",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(f".{_PLACES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
