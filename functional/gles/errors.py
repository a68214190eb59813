"""Errors of the API: an application's mistakes are counted, never fatal; what is wrong with tilegpu itself is never
taken for one of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from ..activity.errors import ActivityError
from ..capture import ArgumentError, Call, CaptureError
from ..errors import UserError
from ..glsl import CompilerFault


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


class ExecutorError(UserError):
    """What executes the draws cannot go on; the message says why."""


class InternalError(RuntimeError):
    """A fault of tilegpu itself; never taken for an application's mistake."""


REPORTED = GLError, Unsupported, ArgumentError
"""What makes a call wrong, not the simulator: the call has no effect, and goes to the report."""
_OF_OTHERS = InternalError, ExecutorError, CompilerFault, CaptureError, ActivityError, OSError, MemoryError
"""What says by itself whose fault it is."""


def end_call(call: Call, error: Exception) -> NoReturn:
    """End in an error of a call that is none of `REPORTED`; one that nobody expected is a fault of tilegpu.

    Raises
    ------
    InternalError
        For anything but what says by itself whose fault it is.
    """
    _end(f"call {call.number} {call.name}", error)


@contextmanager
def faults_are_ours(doing: str) -> Iterator[None]:
    """What nobody expected in here is a fault of tilegpu, too, while doing this beside the calls."""
    try:
        yield
    except Exception as error:
        _end(doing, error)


def _end(where: str, error: Exception) -> NoReturn:
    if isinstance(error, _OF_OTHERS):
        raise error
    raise InternalError(f"{where}: {type(error).__name__}: {error}") from error
