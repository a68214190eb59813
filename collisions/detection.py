"""Outcome of collision detection in an activity, and its work: per frame, and in all."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .core import Energy, Time, Work, time, work_energy
from .cpu import Cpu
from .meshes import Grouping


@dataclass(frozen=True)
class Options:
    """Options of collision detection.

    Parameters
    ----------
    world_matrix, position
        Uniform of the world matrix and attribute of the position (`meshes.Meshes`).
    grouping
        What an object is: all draws of one `label`, or each `draw`.
    narrow
        Run the narrow phase, too.
    cpu
        The CPU.
    """

    world_matrix: str | None = None
    position: str | None = None
    grouping: Grouping = "label"
    narrow: bool = True
    cpu: Cpu = field(default_factory=Cpu)


@dataclass(frozen=True)
class Pair:
    """Two objects whose bounding boxes overlap; `narrow` says whether their hulls do, None where this was not
    checked."""

    object_a: str
    object_b: str
    broad: bool
    narrow: bool | None


@dataclass(frozen=True)
class Phase:
    """Work of a phase, and what it takes."""

    work: Work
    time: Time
    energy: Energy

    @classmethod
    def of(cls, work: Work, cpu: Cpu) -> Phase:
        """Time and energy that some work takes on a CPU."""
        spent = time(work, cpu)
        return cls(work, spent, work_energy(work, spent, cpu))


@dataclass(frozen=True)
class FrameDetection:
    """A frame: its pairs, and each phase.

    Parameters
    ----------
    frame
        Number of the frame.
    objects, vertices
        Collisionable objects, and vertices of all of them.
    pairs
        Overlapping ones, in the order of their objects.
    counts
        What was counted, by name.
    broad, narrow
        Phases; without a narrow phase it did nothing.
    """

    frame: int
    objects: int
    vertices: int
    pairs: tuple[Pair, ...]
    counts: dict[str, int]
    broad: Phase
    narrow: Phase

    @property
    def broad_seconds(self) -> float:
        return self.broad.time.seconds

    @property
    def narrow_seconds(self) -> float:
        """Time of the narrow phase alone."""
        return self.narrow.time.seconds

    @property
    def broad_joules(self) -> float:
        return self.broad.energy.joules

    @property
    def narrow_joules(self) -> float:
        """Energy of the narrow phase alone."""
        return self.narrow.energy.joules


@dataclass(frozen=True)
class Detection:
    """All frames of an activity."""

    source: str
    options: Options
    frames: tuple[FrameDetection, ...]

    def total(self, name: str) -> float:
        """Sum over the frames of `broad_seconds`, `narrow_seconds`, `broad_joules` or `narrow_joules`."""
        return float(sum(getattr(frame, name) for frame in self.frames))

    def on(self, cpu: Cpu) -> Detection:
        """The same work on a CPU that differs in what time and energy depend on, not in what is done or in its
        caches."""
        frames = tuple(
            replace(f, broad=Phase.of(f.broad.work, cpu), narrow=Phase.of(f.narrow.work, cpu)) for f in self.frames
        )
        return Detection(self.source, replace(self.options, cpu=cpu), frames)
