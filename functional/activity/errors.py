"""Errors of the activity's files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from ..errors import UserError


class ActivityError(UserError):
    """A folder that is no activity, or not one this version can read; the message names the file and what to do."""


@contextmanager
def contradictions(where: str) -> Iterator[None]:
    """What code raises in here that relies on tables to fit each other is the fault of the tables.

    Parameters
    ----------
    where
        Which tables, for the message.

    Raises
    ------
    ActivityError
        In the place of any error that is not a user's already.
    """
    try:
        yield
    except UserError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, OSError, pa.ArrowException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ActivityError(f"{where} contradicts itself ({reason})") from error
