"""Passes: runs of events on one set of attachments, with their loads and stores, and images of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..gles.framebuffers import Attachment, Framebuffer
from ..images import frame_image, write_png
from ..pipeline.command import DrawCommand
from ..pipeline.fragments.multisampling import resolve


@dataclass
class Pass:
    """An open pass.

    Attributes
    ----------
    loads
        How each slot was first touched; a slot that is never touched needs no memory traffic at all.
    written
        Slots that were changed.
    """

    number: int
    framebuffer: Framebuffer
    first_event: int
    slots: dict[str, Attachment]
    size: tuple[int, int]
    last_event: int = -1
    loads: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)


def slots_of(framebuffer: Framebuffer) -> dict[str, Attachment]:
    """Attachments by slot name."""
    slots = {f"color{number}": attachment for number, attachment in sorted(framebuffer.colors.items())}
    if framebuffer.depth is not None:
        slots["depth"] = framebuffer.depth
    if framebuffer.stencil is not None:
        slots["stencil"] = framebuffer.stencil
    return slots


def no_picture(number: int, attachment: Attachment) -> None:
    """Do not write an image of a pass."""


def pass_picture(folder: Path, number: int, attachment: Attachment) -> str | None:
    """Write the first colour attachment of a finished pass as an image; the name of the file. None, and no file, for
    pixels that cannot be shown as an image."""
    pixels = attachment.color()
    if pixels is None or pixels.dtype != np.uint8:
        return None
    name = f"pass_{number:04d}.png"
    image = np.asarray(resolve(pixels) if pixels.ndim == 4 else pixels)
    opaque = attachment.format is not None and attachment.format.bits[3] == 0
    write_png(frame_image(image, not opaque), folder / name)
    return name


class Passes:
    """Splits the events of a recording into passes.

    Parameters
    ----------
    picture
        Stores the first colour attachment of a finished pass by the pass's number, and returns the file name or None.
    """

    def __init__(self, picture: Callable[[int, Attachment], str | None] = no_picture) -> None:
        self.picture = picture
        self.count = 0
        self.open: Pass | None = None
        self.written: set[tuple[int, str]] = set()
        self.rows: list[dict[str, Any]] = []
        self._latest: tuple[int, frozenset[str], frozenset[str], frozenset[str]] | None = None
        """Arguments of the last event of the open pass; the same ones again change nothing."""

    def enter(
        self,
        framebuffer: Framebuffer,
        event: int,
        cleared: frozenset[str],
        read: frozenset[str],
        written: frozenset[str],
    ) -> int:
        """Number of the pass that an event belongs to.

        Parameters
        ----------
        framebuffer
            Framebuffer drawn to.
        event
            Number of the event.
        cleared, read, written
            Slots that the event overwrites completely, whose content it may need, and that it may change partially.
        """
        use = framebuffer.revision, cleared, read, written
        if self.open is not None and self.open.framebuffer is framebuffer and use == self._latest:
            self.open.last_event = event
            return self.open.number
        self._latest = use
        slots = slots_of(framebuffer)
        if self.open is None or _key(self.open.slots) != _key(slots):
            self.close()
            self.open = Pass(self.count, framebuffer, event, slots, framebuffer.size)
            self.count += 1
        current = self.open
        current.last_event = event
        for slot, attachment in slots.items():
            if slot not in current.loads and slot in cleared | read | written:
                defined = (attachment.identity, slot) in self.written
                current.loads[slot] = "clear" if slot in cleared else "load" if defined else "undefined"
            if slot in cleared | written:
                self.written.add((attachment.identity, slot))
                current.written.add(slot)
        return current.number

    def invalidate(self, framebuffer: Framebuffer, slots: frozenset[str]) -> None:
        """Note that the content of some slots is no longer needed, so that the pass does not store it."""
        self._latest = None
        for slot, attachment in slots_of(framebuffer).items():
            if slot in slots:
                self.written.discard((attachment.identity, slot))
                if self.open is not None and self.open.framebuffer is framebuffer:
                    self.open.written.discard(slot)

    def close(self, swapped: bool = False) -> None:
        """End the open pass; after a swap, depth and stencil of the window are lost."""
        current = self.open
        if current is None:
            return
        width, height = current.size
        attachments = []
        for slot, attachment in current.slots.items():
            lost = swapped and current.framebuffer.name == 0 and slot in ("depth", "stencil")
            kept = slot in current.written and not lost
            if lost:
                self.written.discard((attachment.identity, slot))
            colour = attachment.format
            named = colour.name if slot.startswith("color") and colour else attachment.depth_format
            attachments.append(
                dict(
                    slot=slot,
                    surface=attachment.identity,
                    level=attachment.level,
                    layer=attachment.face,
                    format=named or "STENCIL8",
                    load=current.loads.get(slot, "undefined"),
                    store="store" if kept else "discard",
                )
            )
        self.rows.append(
            {
                "pass": current.number,
                "first_event": current.first_event,
                "last_event": current.last_event,
                "width": width,
                "height": height,
                "samples": max((a.samples for a in current.slots.values()), default=1),
                "attachments": attachments,
                "image": self.picture(current.number, current.slots["color0"]) if "color0" in current.slots else None,
            }
        )
        self.open = None
        self._latest = None

    def take(self) -> list[dict[str, Any]]:
        """Rows of the passes that ended since the last call."""
        rows, self.rows = self.rows, []
        return rows


def _key(slots: dict[str, Attachment]) -> tuple[tuple[str, int, int, int], ...]:
    return tuple((slot, a.identity, a.level, a.face) for slot, a in slots.items())


def slots_used(command: DrawCommand, draw_buffers: tuple[int, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Slots whose content a draw needs, and slots that it changes."""
    written_colors = {d.slot for d in command.state.program.fragment.outputs if d.semantic == "color"}
    colors = {
        f"color{number}"
        for slot, number in enumerate(draw_buffers)
        if number >= 0 and slot in written_colors and any(command.state.blending.of(slot).color_mask)
    }
    tests = command.state.depth_stencil
    tested = {slot for slot, used in (("depth", tests.depth_test), ("stencil", tests.stencil_test)) if used}
    written = colors | tested - (set() if tests.depth_write else {"depth"})
    return frozenset(colors | tested), frozenset(written)
