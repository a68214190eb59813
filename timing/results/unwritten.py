"""Pixels that are read from an attachment though nobody has written them: a technique left the flush of their tile out,
and memory holds something else.

The first colour attachment of each pass is followed. A later pass reads it where it loads it, or where a draw has it as
a texture; the window's is read when it is shown. Compressed surfaces are not followed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.tiles import Tiles

from ..engine.chip import Chip
from ..engine.frame import Frame
from ..memory.request import COLOR

Array = np.ndarray[Any, Any]
Key = tuple[int, int, int]
"""Surface, level and layer of an attachment."""
UNKNOWN = -1
"""Colour of a pixel that nobody has written."""

UNWRITTEN = Stat(
    "pictures.unwritten_pixels",
    "pixels",
    "pixels that a later pass or the display reads though the flush of their tile was left out and memory holds "
    "another colour; with --check-images",
    measured=True,
    wrong=True,
)


@dataclass
class Unwritten:
    """Follows what memory holds in the place of attachments.

    Parameters
    ----------
    chip
        The machine.
    window
        Surfaces of the window, of which there are several in turn.
    """

    chip: Chip
    window: frozenset[int]
    _memory: dict[Key, Array] = field(default_factory=dict)
    _stale: dict[Key, Array] = field(default_factory=dict)
    _shown: deque[dict[Key, Array]] = field(init=False)

    def __post_init__(self) -> None:
        self._shown = deque(maxlen=self.chip.configuration.memory.frame_buffers)

    @property
    def follows(self) -> bool:
        """Whether the machine flushes tiles as rows of pixels."""
        compressed = any(technique.name == "frame_buffer_compression" for technique in self.chip.techniques)
        return self.chip.machine.sorts and not compressed

    def read(self, keys: Iterable[Key], surfaces: Iterable[int] = ()) -> int:
        """Pixels that were never written of attachments that are read, once; and of all of some surfaces."""
        read, whole = set(keys), set(surfaces)
        chosen = [key for key in self._stale if key in read or key[0] in whole]
        return sum(int(self._stale.pop(key).sum()) for key in chosen)

    def show(self) -> int:
        """Pixels of the window that are shown and were never written; the next frame has another buffer."""
        self._shown.append({key: held for key, held in self._memory.items() if key[0] in self.window})
        return self.read((), self.window)

    def drawn(self, frame: Frame, place: int, key: Key, pixels: Array) -> None:
        """A pass has drawn to an attachment.

        Parameters
        ----------
        frame, place
            The frame, after it was run, and the row of the pass.
        key, pixels
            The attachment, and its colours (samples, height, width, channels).
        """
        commands = frame.commands
        row = np.asarray(commands.render_pass)[place]
        targets = np.asarray(commands.target)[row["first_target"] : row["last_target"]]
        self._stale.pop(key, None)
        if not ((targets["source"] == COLOR) & (targets["store"] != 0)).any():
            return
        before = self._before(key)
        memory = pixels.astype(np.int16)
        stale = np.zeros(pixels.shape[1:3], bool)
        across, down = self.chip.configuration.of(Tiles).width, self.chip.configuration.of(Tiles).height
        tiles = slice(int(row["first_tile"]), int(row["last_tile"]))
        log, tile = np.asarray(commands.log)[tiles], np.asarray(commands.tile)[tiles]
        unwritten = (log["stored_bytes"] == 0) & (log["skipped_by"] == 0)
        for x, y in zip(tile["x"][unwritten], tile["y"][unwritten], strict=True):
            part = np.s_[:, y : y + down, x : x + across]
            fits = before is not None and before.shape == pixels.shape
            memory[part] = before[part] if before is not None and fits else UNKNOWN
            stale[part[1:]] = (memory[part] != pixels[part]).any(axis=(0, 3))
        self._memory[key] = memory
        if stale.any():
            self._stale[key] = stale

    def _before(self, key: Key) -> Array | None:
        """Colours that the memory of an attachment held before a pass; None where they are unknown."""
        if key[0] not in self.window:
            return self._memory.get(key)
        return self._shown[0].get(key) if len(self._shown) == self._shown.maxlen else None

    def forget(self, surfaces: Iterable[int]) -> None:
        """Surfaces that are written otherwise: uploads, copies and the like."""
        written = set(surfaces)
        for followed in (self._memory, self._stale):
            for key in [key for key in followed if key[0] in written]:
                del followed[key]
