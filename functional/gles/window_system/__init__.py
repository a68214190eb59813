"""The window system: calls of EGL, GLX, WGL and CGL, and what they create and make current."""

from .egl import EGL_CALLS
from .state import WindowSystem, WindowSystemCall
from .without_egl import OTHER_CALLS

__all__ = ["CALLS", "WindowSystem"]

CALLS: dict[str, WindowSystemCall] = EGL_CALLS | OTHER_CALLS
"""Functions by the name of the call that they execute."""
