"""Power at a frame rate: hand counts of idle time, and the replay at each clock."""

from __future__ import annotations

from pathlib import Path

import pytest
from activity_builder import Rectangle, Scene

from tilegpu.functional.errors import UserError
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.results.energy.report import report
from tilegpu.timing.runs.power import IdlePower, at_point, idle_memory_mw, point_of, power_curve

POINTS = [(200, 600), (400, 800)]


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    small, large = [Rectangle(0, 0, 16, 16)], [Rectangle(0, 0, 64, 64, 0.9), Rectangle(0, 0, 64, 64, 0.5)]
    return Scene(64, 64, [small, large, small]).write(tmp_path_factory.mktemp("power") / "activity")


def test_a_point_is_the_replay_at_its_clock(activity: Path) -> None:
    curve = power_curve(activity, load_configuration("ptr-2022"), 60.0, points=POINTS, jobs=1)
    for point, (mhz, mv) in zip(curve.points, POINTS, strict=True):
        settings = [f"gpu_mhz={mhz}", f"energy.supply_millivolts={mv}"]
        results = replay(activity, load_configuration("ptr-2022", settings))
        cycles = [results.frame(number)["gpu.cycles"] for number in results.frames]
        assert (point.gpu_mhz, point.supply_millivolts, point.frames) == (mhz, mv, 3)
        assert point.longest_ms == max(cycles) / mhz / 1e3
        assert point.mean_ms == pytest.approx(sum(cycles) / 3 / mhz / 1e3)
        assert point.gpu_uj + point.memory_uj == pytest.approx(results.energy().total_pj / 3e6)
        # At 60 frames per second, what is left of a period is idle.
        idle = report(results.configuration).leakage_mw + idle_memory_mw(results.configuration)
        assert point.idle_uj == pytest.approx(idle * (1e3 / 60 - point.mean_ms))
        assert point.milliwatts == pytest.approx(60 * (point.gpu_uj + point.memory_uj + point.idle_uj) / 1e3)
    # Switching energy goes with the square of the voltage, so the slower point takes less.
    assert curve.points[0].gpu_uj < curve.points[1].gpu_uj
    assert curve.lowest is curve.points[0] and curve.highest is curve.points[1]


@pytest.mark.parametrize("share, lowest", [(0.6, 200), (1.0, 400)])
def test_frames_that_are_late(activity: Path, share: float, lowest: int) -> None:
    """At a rate between those of the second frame at both clocks, two of three frames are in time at the lower one."""
    configuration = load_configuration("ptr-2022")
    slow, fast = (replay(activity, at_point(configuration, *point)) for point in POINTS)
    longest = [
        max(r.frame(n)["gpu.cycles"] for n in r.frames) / p[0] for r, p in zip((slow, fast), POINTS, strict=True)
    ]
    rate = 1e6 / ((longest[0] + longest[1]) / 2)
    curve = power_curve(activity, configuration, rate, share, POINTS, jobs=1)
    assert [point.in_time for point in curve.points] == [2, 3]
    assert curve.lowest is not None and curve.lowest.gpu_mhz == lowest
    assert all(point.frames_per_second == pytest.approx(rate) for point in curve.points)
    impossible = power_curve(activity, configuration, 1e9, 1.0, POINTS, jobs=1)
    assert impossible.lowest is None
    for point in impossible.points:
        # Frames follow each other at once.
        assert point.idle_uj == 0 and point.frames_per_second == pytest.approx(1e3 / point.mean_ms)


def test_a_gpu_that_is_switched_off_takes_time_to_wake_up(activity: Path) -> None:
    settings = ["power.idle=power_gated", "power.wake_up_microseconds=200", "power.memory_idle=self_refresh"]
    configuration = load_configuration("ptr-2022", settings)
    point = point_of(replay(activity, configuration), 60.0)
    idle = IdlePower.of(configuration)
    leakage = report(configuration).leakage_mw
    assert (idle.gpu_mw, idle.waking_mw) == (0.0, leakage)
    spare_ms = 1e3 / 60 - point.mean_ms
    assert point.idle_uj == pytest.approx(leakage * 0.2 + idle.memory_mw * spare_ms)
    assert idle.memory_mw < idle_memory_mw(load_configuration("ptr-2022"))


def test_memory_refreshes_while_it_is_idle() -> None:
    """By hand, of LPDDR4-2400-dual: ranks and devices of both channels, currents of the specification."""
    configuration = load_configuration("ptr-2022")
    spec = configuration.dram.specification
    assert spec is not None
    refresh_mw = spec.power.VDD * (spec.power.IDD5AB - spec.power.IDD3N) * spec.timing.tRFC / spec.timing.tREFI
    devices = spec.devices_per_rank * spec.ranks * spec.system.channels
    assert idle_memory_mw(configuration) == pytest.approx((spec.power.VDD * spec.power.IDD2P + refresh_mw) * devices)


def test_rates_that_make_no_sense(activity: Path) -> None:
    with pytest.raises(UserError, match="above 0 frames per second"):
        power_curve(activity, load_configuration("mali-g52-mc2"), 0)
