"""Placeholder: in every copy of the engine, the code that `assembly.link` makes for a machine replaces this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .frame import Frame
    from .gpu import Gpu


def tick(gpu: Gpu, frame: Frame, u: int, t: int) -> int:
    """Tick one unit; the cycle in which it next has something to do, as far as it knows."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def look_at_queues(gpu: Gpu, times: int) -> None:
    """Add some samples of all queues between which nothing happened."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def finished(gpu: Gpu) -> bool:
    """Whether all passes are done and nothing is on its way to or from memory."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def settle(gpu: Gpu, t: int) -> None:
    """Bring the counters up to cycle t."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def charge(gpu: Gpu, u: int, account: int, now: int) -> None:
    """Charge what a unit has counted since it was charged last to an account, with an instrument."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def charged(gpu: Gpu) -> Any:
    """Registers of the instrument, an `instruments.charged.Charged`."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def sample(gpu: Gpu, times: int) -> None:
    """Charge samples of the time to the accounts of the units at work, with the instrument `draw_costs`."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def waits(kind: int) -> bool:
    """Whether cycles of waiting of a kind of units are charged, with the instrument `resource_costs`."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def executes(kind: int) -> bool:
    """Whether units of a kind execute shaders, with the instrument `line_costs`."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")


def bound(gpu: Gpu, r: int, t: int) -> int:
    """Number of what bounded the tile of Raster Unit r that was written in cycle t, with the instrument
    `draw_costs`."""
    raise RuntimeError("no machine is linked: load one with assembly.variants.load")
