"""Names of the operations of a frame, the same on pages, in tables and in messages."""

from __future__ import annotations


def operation_name(kind: str, number: int | None, call: int) -> str:
    """Name of an operation.

    Parameters
    ----------
    kind
        Such as "draw", "dispatch" or "read_pixels".
    number
        Number in its frame, where draws and dispatches are counted from 0; None of other operations.
    call
        Number of its call in the capture.
    """
    numbered = "" if number is None else f" {number}"
    return f"{kind.replace('_', ' ')}{numbered} (call {call})"
