"""Facts about a function that only its whole text shows; each one that is new has it translated again."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from .kinds import BIT, NOTHING, Kind


class OutlineChanged(Exception):
    """The code so far was made without a fact that the text shows now."""


class Outline:
    """Facts about a function.

    Attributes
    ----------
    kinds
        Of variables, by name, and of the result, "return", as far as they are known.
    creates
        Whether it makes arrays.
    allocates
        Whether it takes memory that must be freed when it returns, or when its caller does.
    returns_arrays
        Whether there are arrays in its result.
    fails
        Whether it may end without a result, for want of memory.
    unfinished
        Whether code was left out that depends on a kind that was not known.
    """

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.creates = self.allocates = self.returns_arrays = self.fails = self.unfinished = False

    def note(self, fact: str) -> None:
        """Take a fact as true, by its name.

        Raises
        ------
        OutlineChanged
            If it was not before.
        """
        if not getattr(self, fact):
            setattr(self, fact, True)
            raise OutlineChanged

    @property
    def hands_on(self) -> bool:
        """Whether arrays that it makes may be in its result, so that they last until its caller returns."""
        return self.creates and self.returns_arrays

    @property
    def returned(self) -> Any:
        """Type of what the function returns: its result, with a bit before it if it may fail."""
        result = self.kinds["return"]
        if not self.fails:
            return result.llvm
        return ir.LiteralStructType([BIT] if result is NOTHING else [BIT, result.llvm])
