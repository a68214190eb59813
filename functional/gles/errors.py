"""Errors of the API. An application's mistakes are counted and never fatal; a fault of tilegpu itself is never
mistaken for one of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from ..capture import ArgumentError, Call, CaptureError
from ..errors import ActivityError, CompilerFault, ExecutionError, Fault, UserError
from ..opengl.errors import GLError, Unsupported


class ExecutorError(UserError):
    """The executor of the draws cannot continue; the message says why."""


class TooMuchWork(ExecutorError):
    """A call asks for more work than one may; the message says how much."""


class InternalError(Fault):
    """A fault of tilegpu itself, never mistaken for an application's."""


REPORTED = GLError, Unsupported, ArgumentError, ExecutionError
"""Errors that the call is to blame for, not the simulator: the call has no effect and goes to the report. The last one
means that a shader does not terminate."""
_OF_OTHERS = InternalError, ExecutorError, CompilerFault, CaptureError, ActivityError, OSError, MemoryError
"""Exceptions that already say whose fault they are."""


def end_call(call: Call, error: Exception) -> NoReturn:
    """Raise the error of a call that is not in `REPORTED`; an unexpected one is a fault of tilegpu.

    Raises
    ------
    InternalError
        For any exception that does not already say whose fault it is.
    """
    _end(f"call {call.number} {call.name}", error)


@contextmanager
def faults_are_ours(doing: str) -> Iterator[None]:
    """Unexpected exceptions in this block, outside of calls, are faults of tilegpu, too."""
    try:
        yield
    except Exception as error:
        _end(doing, error)


def _end(where: str, error: Exception) -> NoReturn:
    if isinstance(error, TooMuchWork):
        raise ExecutorError(f"{where}: {error}") from None
    if isinstance(error, _OF_OTHERS):
        raise error
    raise InternalError(f"{where}: {type(error).__name__}: {error}") from error
