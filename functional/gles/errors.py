"""Errors of the API: an application's mistakes are counted, never fatal."""


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
    """A valid call that needs what tilegpu lacks: it has no effect and is reported once, by name and count."""


class ExecutorError(RuntimeError):
    """What executes the draws cannot go on; the message says why."""


class InternalError(RuntimeError):
    """A fault of tilegpu itself; never taken for an application's mistake."""
