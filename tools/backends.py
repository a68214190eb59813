"""Choice of what runs shaders."""

from __future__ import annotations

from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.choice import choose_backend

from .console import warn


def chosen_backend(name: str) -> Backend:
    """The back end of this name, or the fastest; says why it is not the fastest."""
    backend, reason = choose_backend(name)
    if reason:
        warn(reason)
    return backend
