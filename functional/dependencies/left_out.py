"""Colours that are left out where draws are only counted, until an operation would read them."""

from __future__ import annotations

from collections.abc import Callable

from ..pipeline.command import DrawCommand
from .memory import NONE, Numbers
from .operations import Access


class ColorsNeeded(Exception):
    """Colours that were left out are read."""


class LeftOut:
    """Images whose colours are not what the stream draws.

    Parameters
    ----------
    leaves_out
        Whether the colours of a draw are left out.
    """

    def __init__(self, leaves_out: Callable[[DrawCommand], bool]) -> None:
        self.leaves_out = leaves_out
        self._images: Numbers = NONE
        self.read = False

    def draw(self, command: DrawCommand, access: Access, colors: Numbers) -> None:
        """Follow a draw to some images."""
        if self._images:
            # Blending reads what the draw writes, which is left out as well.
            self.read |= not self._images.isdisjoint(access.reads - colors)
        if self.leaves_out(command):
            self._images |= colors

    def follow(self, access: Access) -> None:
        """Follow another operation."""
        if self._images:
            self.read |= not self._images.isdisjoint(access.reads)
            self._images -= access.replaces
