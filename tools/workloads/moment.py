"""Content of a frame of a workload in phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from .geometry import Floats
from .phases import Phase
from .scene import Layer, Thing
from .scene import chosen as is_one_of


@dataclass(frozen=True)
class Moment:
    """Content of a frame.

    Attributes
    ----------
    phase
        Its phase; None where a workload has none.
    time
        Time of the animation, in frames.
    zoom
        How much larger the scene is seen.
    """

    phase: Phase | None
    time: float
    zoom: float = 1.0

    def shows(self, thing: Thing) -> bool:
        """Whether a thing is drawn."""
        if self.phase is None:
            return True
        if self.phase.layers and thing.layer.name.lower() not in self.phase.layers:
            return False
        of_scene = thing.layer is Layer.OPAQUE and thing.role != "hero"
        return not of_scene or is_one_of(thing.label, self.phase.share)

    def view(self, camera: Floats) -> Floats:
        """Projection times view, the scene seen larger."""
        return camera if self.zoom == 1 else np.diag([self.zoom, self.zoom, 1.0, 1.0]) @ camera


def moment(phases: Sequence[Phase], t: float) -> Moment:
    """Content of a frame at a time; phases come round, and the animation goes on.

    Parameters
    ----------
    phases
        In order; none: time is that of the animation.
    t
        Time in frames.
    """
    if not phases:
        return Moment(None, t)
    ends = list(accumulate(phase.frames for phase in phases))
    rounds, within = divmod(t, ends[-1])
    number = next(i for i, end in enumerate(ends) if within < end)
    time = rounds * sum(phase.frames * phase.speed for phase in phases)
    time += sum(phase.frames * phase.speed for phase in phases[:number])
    phase, begun = phases[number], within - (ends[number] - phases[number].frames)
    zoom = phase.zoom_from + (phase.zoom_to - phase.zoom_from) * begun / phase.frames
    return Moment(phase, float(time + phase.speed * begun), float(zoom))
