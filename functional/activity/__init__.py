"""The contract between the passes: schemas, writer, reader, validation and shared kernels."""

from .errors import ActivityError
from .manifest import Manifest, read_manifest
from .reader import Activity
from .schema import FORMAT_VERSION, GROUPS, LEVELS, TABLES
from .writer import ActivityWriter

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
