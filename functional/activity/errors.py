"""Errors of the activity's files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from ..errors import ActivityError, UserError

__all__ = ["ActivityError", "contradictions"]


@contextmanager
def contradictions(where: str) -> Iterator[None]:
    """Attribute exceptions of code that relies on consistent tables to the tables.

    Parameters
    ----------
    where
        The tables, for the message.

    Raises
    ------
    ActivityError
        Replaces any error that is not a `UserError` already.
    """
    try:
        yield
    except UserError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, OSError, pa.ArrowException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ActivityError(f"{where} contradicts itself ({reason})") from error
