"""Results of importing a capture."""

from __future__ import annotations

from typing import NamedTuple


class Imported(NamedTuple):
    """A capture that became a stream.

    Attributes
    ----------
    tool
        Tool that captured it.
    api
        API and version of the program's context.
    frames
        Frames of the stream.
    missing
        What is not carried over, and how often.
    """

    tool: str
    api: str
    frames: int
    missing: dict[str, int]
