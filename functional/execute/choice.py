"""Chooses the back end that runs shaders: by name, or the fastest one available."""

from __future__ import annotations

from ..errors import UserError
from .backend import Backend
from .numpy_backend import NumpyBackend

_OURS = f"{__name__.partition('.')[0]}."
BACKENDS = ("llvm", "numpy")
"""Names, fastest first."""


def choose_backend(name: str = "") -> tuple[Backend, str]:
    """A back end, and the reason why it is not the fastest one ("" if it is, or was requested).

    Parameters
    ----------
    name
        One of `BACKENDS`, or "" for the fastest one available.

    Raises
    ------
    UserError
        If there is no such back end, or it does not load.
    """
    if name not in ("", *BACKENDS):
        raise UserError(f"backend {name!r}: choose one of {', '.join(BACKENDS)}")
    if name == "numpy":
        return NumpyBackend(), ""
    try:
        from .llvm_backend import LlvmBackend

        return LlvmBackend(), ""
    except (ImportError, OSError, RuntimeError) as error:
        if isinstance(error, ImportError) and (error.name or "").startswith(_OURS):
            # A fault of ours, not of the machine.
            raise
        reason = f"the llvm back end does not load ({error})"
        if name:
            raise UserError(reason) from None
        return NumpyBackend(), f"{reason}; shaders run with numpy, several times slower"
