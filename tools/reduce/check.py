"""The command that says whether a capture still shows what is looked for."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from tilegpu.functional.errors import UserError

PLACE = "{}"
"""Stands for the capture in a command; at its end where it is left out."""
TIMED_OUT = None


class CheckError(UserError):
    """A command that cannot be used; the message says why."""


class FunctionCheck:
    """A function that is called on captures, and its answer for the original.

    Parameters
    ----------
    function
        Answers are compared by equality; a `UserError` is an answer too, but for a `CheckError`.

    Attributes
    ----------
    runs
        Number of calls.
    status
        Answer for the original.
    """

    def __init__(self, function: Callable[[Path], object]) -> None:
        self._function = function
        self.runs = 0
        self.status: object = None

    def begin(self, original: Path) -> None:
        """Ask about the original."""
        self.status = self._run(original)

    def holds(self, candidate: Path) -> bool:
        """Whether the answer for a candidate is that for the original."""
        return self._run(candidate) == self.status

    def _run(self, capture: Path) -> object:
        self.runs += 1
        try:
            return self._function(capture)
        except CheckError:
            raise
        except UserError as error:
            return type(error)


class Check(FunctionCheck):
    """A command that is run on captures, and the status with which it ends on the original.

    Parameters
    ----------
    command
        Program and arguments, as in a shell, `{}` in the place of the capture. It is run without a shell.
    timeout_seconds
        Most that it may take for a capture; what takes longer ends otherwise than the original.

    Attributes
    ----------
    runs
        How often it was run.
    status
        Of the original; negative for a signal.

    Raises
    ------
    CheckError
        If there is no command, or quotes are not closed.
    """

    def __init__(self, command: str, timeout_seconds: float) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise CheckError(f"--check {command}: {error}") from None
        if not self.words:
            raise CheckError("--check: give a command, such as 'python check.py {}'")
        if not any(PLACE in word for word in self.words):
            self.words.append(PLACE)
        self.timeout_seconds = timeout_seconds
        super().__init__(self._end)

    def begin(self, original: Path) -> None:
        """Run it on the original.

        Raises
        ------
        CheckError
            If it cannot be started, or takes too long.
        """
        super().begin(original)
        if self.status is TIMED_OUT:
            raise CheckError(f"--check: {self.words[0]} takes more than {self.timeout_seconds:g} s on {original}")

    def _end(self, capture: Path) -> int | None:
        """Status with which it ends."""
        words = [word.replace(PLACE, str(capture)) for word in self.words]
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=self.timeout_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return TIMED_OUT
        except OSError as error:
            raise CheckError(f"--check: {words[0]} cannot be run: {error.strerror}") from None
        return done.returncode
