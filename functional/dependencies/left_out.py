"""Colours that are left out where draws are only counted, until something would depend on them."""

from __future__ import annotations

from collections.abc import Callable

from .memory import NONE, Numbers
from .operations import Access

COPIES = ("copy", "blit", "generate_mipmap", "upload")
"""Operations that make colours of colours."""


class ColorsNeeded(Exception):
    """Something depends on colours that were left out."""


class LeftOut:
    """Images whose colours are not what the stream draws.

    Parameters
    ----------
    leaves_out
        Whether the colours of windows, or of other framebuffers, are left out.
    """

    def __init__(self, leaves_out: Callable[[bool], bool]) -> None:
        self.leaves_out = leaves_out
        self._images: Numbers = NONE
        self.read = False

    def draw(self, window: bool, access: Access, colors: Numbers, steering: Numbers) -> None:
        """Follow a draw to the images of a window or another framebuffer; ``steering`` are those that more than its
        colours depends on."""
        left_out = self.leaves_out(window)
        if self._images:
            # Blending reads what the draw writes, which is left out as well.
            self.read |= not self._images.isdisjoint(steering if left_out else access.reads - colors)
        if left_out:
            self._images |= colors

    def clear(self, window: bool, access: Access, colors: Numbers) -> None:
        """Follow a clear of some images of a window or another framebuffer."""
        self._images = self._images | colors if self.leaves_out(window) else self._images - access.replaces

    def follow(self, access: Access) -> None:
        """Follow another operation."""
        if not self._images:
            return
        reads = not self._images.isdisjoint(access.reads)
        self._images -= access.replaces
        if reads and access.kind in COPIES:
            self._images |= access.writes
        else:
            self.read |= reads
