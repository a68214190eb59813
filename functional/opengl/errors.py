"""Errors of an application's calls, and valid calls that tilegpu cannot execute."""

from __future__ import annotations


class GLError(Exception):
    """A call that OpenGL ES rejects: it has no effect and sets the context's error.

    Parameters
    ----------
    code
        GL error enum.
    message
        What is wrong, for the report.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unsupported(Exception):
    """A valid call that needs a feature tilegpu lacks: it has no effect and is reported once, by name and count."""
