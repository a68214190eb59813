"""Power at a frame rate: an activity at each operating point of a GPU, and the time between its frames.

A point is a clock with its voltage; main memory keeps its clock, so each point is replayed. Within its period a frame
takes its time, then GPU and memory are idle as `[power]` says. A frame that takes longer than its period delays the
next: the frames then take all of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import ValidationError

from tilegpu.functional.errors import UserError

from ..config.load import ConfigurationError
from ..config.schema import Configuration
from ..declare.power import Power
from ..memory.dram.files import load_specification
from ..results.energy.dram import device_energy
from ..results.energy.report import report
from ..results.results import Results
from .plan import Run
from .pool import Progress, execute

US_PER_S = 1e6
PJ_PER_UJ = 1e6


@dataclass(frozen=True)
class Point:
    """Frames at an operating point.

    Parameters
    ----------
    gpu_mhz, supply_millivolts
        The point.
    frames
        Number of frames.
    in_time
        Of them, those that are done within a period, with what it takes to wake up.
    mean_ms, longest_ms
        Time of the frames at work.
    gpu_uj, memory_uj
        Energy at work, per frame.
    idle_uj
        Energy of both between frames, per frame.
    frames_per_second
        Rate that they come to: the one asked for, if they are done in time in the mean.
    """

    gpu_mhz: int
    supply_millivolts: int
    frames: int
    in_time: int
    mean_ms: float
    longest_ms: float
    gpu_uj: float
    memory_uj: float
    idle_uj: float
    frames_per_second: float

    @property
    def frame_uj(self) -> float:
        """Energy per frame, with the time after it."""
        return self.gpu_uj + self.memory_uj + self.idle_uj

    @property
    def milliwatts(self) -> float:
        """Power at the rate."""
        return self.frame_uj * self.frames_per_second * 1e-3

    def meets(self, share: float) -> bool:
        """Whether a share of the frames is done in time."""
        return self.in_time >= share * self.frames

    def as_json(self) -> dict[str, float]:
        """All of it."""
        return asdict(self) | {"frame_uj": self.frame_uj, "milliwatts": self.milliwatts}


@dataclass(frozen=True)
class PowerCurve:
    """Points of a GPU, ascending by their clocks, for a frame rate.

    Parameters
    ----------
    configuration
        Hardware.
    frames_per_second
        Rate that is asked for.
    share
        Share of the frames that must be done in time.
    points
        Frames at each point.
    """

    configuration: Configuration
    frames_per_second: float
    share: float
    points: tuple[Point, ...]

    @property
    def lowest(self) -> Point | None:
        """Point of the lowest clock that meets the rate; None if none does."""
        return next((point for point in self.points if point.meets(self.share)), None)

    @property
    def highest(self) -> Point:
        """Point of the highest clock: the frame as fast as it can be, and idle time after it."""
        return self.points[-1]

    def as_json(self) -> dict[str, Any]:
        """Points, and the lowest that meets the rate."""
        return {
            "configuration": self.configuration.name,
            "frames_per_second": self.frames_per_second,
            "share": self.share,
            "lowest": None if self.lowest is None else self.lowest.as_json(),
            "points": [point.as_json() for point in self.points],
        }


def operating_points(configuration: Configuration) -> list[tuple[int, int]]:
    """Clocks in MHz and voltages in mV.

    Raises
    ------
    ConfigurationError
        If the configuration has none.
    """
    power = configuration.power
    if not power.operating_mhz:
        raise ConfigurationError(
            f"{configuration.name} has no operating points: give --points MHZ:MV,… or set power.operating_mhz and "
            "power.operating_millivolts in a TOML file"
        )
    return list(zip(power.operating_mhz, power.operating_millivolts, strict=True))


def checked(points: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Operating points that make sense.

    Raises
    ------
    ConfigurationError
        If clocks do not ascend, or a number is out of range.
    """
    try:
        Power(operating_mhz=tuple(mhz for mhz, _ in points), operating_millivolts=tuple(mv for _, mv in points))
    except ValidationError as error:
        raise ConfigurationError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    return points


def at_point(configuration: Configuration, gpu_mhz: int, supply_millivolts: int) -> Configuration:
    """The same hardware at an operating point."""
    values = configuration.model_dump()
    values["clocks"] |= {"gpu_mhz": gpu_mhz, "gpu_divisor": 1}
    values["energy"] |= {"supply_millivolts": supply_millivolts}
    return Configuration.model_validate(values)


def power_curve(
    activity: Path,
    configuration: Configuration,
    frames_per_second: float = 60.0,
    share: float = 1.0,
    points: Sequence[tuple[int, int]] | None = None,
    frames: Sequence[int] | None = None,
    warm_up: int = 0,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> PowerCurve:
    """Replay an activity at each operating point of a configuration.

    Parameters
    ----------
    activity
        Folder that was recorded.
    configuration
        Hardware.
    frames_per_second
        Rate.
    share
        Share of the frames that must be done in time, 0 to 1.
    points
        Clocks in MHz, ascending, and their voltages in mV; by default those of the section `power`.
    frames, warm_up, jobs, progress
        As of `runs.execute`.

    Raises
    ------
    UserError
        If the configuration has no operating points, or rate or share make no sense.
    """
    if not frames_per_second > 0 or not 0 < share <= 1:
        raise UserError("a rate is above 0 frames per second, and a share of the frames above 0 and at most 1")
    points = operating_points(configuration) if points is None else checked(points)
    runs = [Run(f"{mhz} MHz", at_point(configuration, mhz, mv), {"clocks.gpu_mhz": mhz}) for mhz, mv in points]
    measured = dict(execute(activity, runs, frames, warm_up, jobs, progress))
    at_points = (point_of(measured[number], frames_per_second) for number in range(len(runs)))
    return PowerCurve(configuration, frames_per_second, share, tuple(at_points))


def point_of(results: Results, frames_per_second: float) -> Point:
    """Frames of a replay at the operating point of its configuration, at a rate."""
    configuration = results.configuration
    period_us = US_PER_S / frames_per_second
    wake_us = wake_up_us(configuration)
    at_work_us = [results.frame(number)["gpu.cycles"] / float(configuration.clocks.gpu) for number in results.frames]
    energies = [results.energy(number) for number in results.frames]
    count, idle = len(at_work_us), IdlePower.of(configuration)
    # Frames that are late take time of the next ones.
    period_us = max(period_us, sum(at_work_us) / count + wake_us)
    spare_us = period_us - sum(at_work_us) / count
    return Point(
        gpu_mhz=configuration.clocks.gpu_mhz,
        supply_millivolts=configuration.energy.supply_millivolts,
        frames=count,
        in_time=sum(us + wake_us <= US_PER_S / frames_per_second for us in at_work_us),
        mean_ms=sum(at_work_us) / count / 1e3,
        longest_ms=max(at_work_us) / 1e3,
        gpu_uj=fmean(energy.gpu_pj for energy in energies) / PJ_PER_UJ,
        memory_uj=fmean(energy.memory_pj for energy in energies) / PJ_PER_UJ,
        idle_uj=idle.energy_uj(spare_us, wake_us),
        frames_per_second=US_PER_S / period_us,
    )


def wake_up_us(configuration: Configuration) -> float:
    """Time from the end of idleness to the first command."""
    return configuration.power.wake_up_microseconds if configuration.power.idle == "power_gated" else 0.0


@dataclass(frozen=True)
class IdlePower:
    """Power between frames, in mW: of the GPU while it is idle and while it wakes up, and of main memory."""

    gpu_mw: float
    waking_mw: float
    memory_mw: float

    @classmethod
    def of(cls, configuration: Configuration) -> IdlePower:
        """Idle power of a configuration at its operating point."""
        leakage = report(configuration).leakage_mw
        gated = configuration.power.idle == "power_gated"
        return cls(0.0 if gated else leakage, leakage, idle_memory_mw(configuration))

    def energy_uj(self, spare_us: float, wake_us: float) -> float:
        """Energy of a time between two frames, at whose end the GPU wakes up."""
        idle_us = max(0.0, spare_us - wake_us)
        return (self.gpu_mw * idle_us + self.waking_mw * min(wake_us, spare_us) + self.memory_mw * spare_us) * 1e-3


def idle_memory_mw(configuration: Configuration) -> float:
    """Power of all ranks of main memory while nothing is asked of it."""
    spec = configuration.dram.specification
    if spec is None:
        spec = load_specification(configuration.dram.simple_device)
    e = configuration.energy
    clock_ns = 1e3 / float(configuration.clocks.memory)
    device = device_energy(spec, clock_ns, e.dram_currents, e.dram_scope == "core+io")
    ns_between_refreshes = spec.timing.tREFI * clock_ns
    refreshing = device.refresh_pj / ns_between_refreshes
    each = {
        "standby": device.idle_mw + refreshing,
        "power_down": device.idle_power_down_mw + refreshing,
        "self_refresh": device.self_refresh_mw,
    }[configuration.power.memory_idle]
    return each * spec.devices_per_rank * spec.ranks * spec.system.channels
