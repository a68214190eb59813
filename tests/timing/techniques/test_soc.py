"""The other masters of a system on chip on the immediate-mode machine: CPU cores, display, the application's pace, DASH
and channels of their own."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from immediate_frames import immediate_frame
from synthetic import synthetic

from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.memory.masters import CLASSES
from tilegpu.timing.techniques.soc.results import rows

pytestmark = pytest.mark.engine("soc")

OWN = "technique.soc."
SOC = ("machine=immediate", "techniques=soc", "clocks.gpu_mhz=1000")
QUIET = (f"{OWN}cores=0", f"{OWN}display=off", f"{OWN}frame_rate=0")
IDEAL = ("dram.row_hit_latency=50", "dram.row_miss_latency=50", "dram.bytes_per_memory_cycle=1024")
"""Of the model `simple`: every request has its data after 50 cycles, and the one of the bus."""
LPDDR3 = ("dram=lpddr3-1333-2x32", "memory_mhz=1333", "memory_divisor=2")
LOADED = ("dram=lpddr3-133-2x32", "memory_mhz=133", "memory_divisor=2")


def one_core(kilocycles: int, misses: int, outstanding: int = 1, background: int = 0) -> tuple[str, ...]:
    """A core of twice the GPU's clock, which misses in even steps, and nothing else."""
    return (
        *QUIET, f"{OWN}cores=1", f"{OWN}intensive_cores=1", f"{OWN}cpu_mhz=2000", f"{OWN}spread=0",
        f"{OWN}frame_kilocycles={kilocycles}", f"{OWN}background_kilocycles={background}",
        f"{OWN}intensive_misses={misses}", f"{OWN}intensive_outstanding={outstanding}", f"{OWN}write_backs=0",
    )  # fmt: skip


def find(found: dict[str, float], *names: str) -> list[float]:
    return [found[f"techniques.soc.{name}"] for name in names]


def test_without_masters_the_machine_is_the_one_without_the_technique(machine: Any) -> None:
    """But for the cycle in which the frame is asked for."""
    alone = machine("machine=immediate", compiled=False).run(immediate_frame(0, primitives=3))
    found = machine(*SOC[:2], *QUIET).run(immediate_frame(0, primitives=3))
    assert found["gpu.cycles"] == alone["gpu.cycles"] + 1
    for name, value in alone.items():
        if name.startswith(("memory.", "raster.", "fragment.", "geometry.")) and "cycle" not in name:
            assert found[name] == value, name


def test_computing_delays_the_frame_by_its_cycles(machine: Any) -> None:
    """30,000 cycles of 2 GHz are 15,000 of 1 GHz."""
    found = machine(*SOC, *IDEAL, *one_core(30, 0)).run(immediate_frame(0))
    cpu, gpu, frame = find(found, "cpu_cycles", "gpu_cycles", "frame_cycles")
    assert cpu == 15_000
    assert frame == cpu + gpu + 1
    assert find(found, "cpu_core.retired_cycles", "cpu_core.misses") == [30_000, 0]


@pytest.mark.parametrize("outstanding", (1, 2))
def test_misses_delay_the_frame_by_their_latency(machine: Any, outstanding: int) -> None:
    """A miss every 1000 CPU cycles. Sent in cycle t it is in the memory's queue in t + 1, starts in t + 2, has its data
    on the bus from t + 52 on, for a cycle, and is answered in t + 54; the thread that bears one miss loses 54 cycles by
    each. One that bears two has 500 cycles to compute between them, and loses none."""
    found = machine(*SOC, *IDEAL, *one_core(100, 1000, outstanding)).run(immediate_frame(0))
    cpu, misses, answers, stalled = find(
        found, "cpu_cycles", "cpu_core.misses", "cpu_core.answers", "cpu_core.stalled_cycles"
    )
    assert misses == answers == 100
    assert stalled == (100 * 54 if outstanding == 1 else 0)
    # The frame waits for the last answer in any case.
    assert cpu == 50_000 + (100 * 54 if outstanding == 1 else 54)
    assert find(found, "cpu_core.misses_per_kilocycle") == [1]


def test_a_slower_memory_slows_the_cpu_and_the_next_frame(machine: Any) -> None:
    times = []
    for latency in (50, 150, 450):
        slow = (
            f"dram.row_hit_latency={latency}",
            f"dram.row_miss_latency={latency}",
            "dram.bytes_per_memory_cycle=1024",
        )
        times.append(find(machine(*SOC, *slow, *one_core(100, 1000)).run(immediate_frame(0)), "cpu_cycles")[0])
    assert times[1] - times[0] == 100 * 100
    assert times[2] - times[1] == 100 * 300


def test_frames_keep_the_pace(machine: Any) -> None:
    """1000 frames a second of a GPU of 1 GHz: a million cycles from one to the next, and what is left is a pause."""
    one = machine(*SOC, *IDEAL, *one_core(100, 0), f"{OWN}frame_rate=1000")
    first = one.run(immediate_frame(0))
    assert find(first, "paused_cycles") == [0]
    for number in (1, 2):
        found = one.run(immediate_frame(number))
        assert find(found, "interval_cycles") == [1_000_000]
        assert find(found, "cpu_cycles") == [50_000]
        assert find(found, "frames") == [1]
    # A frame that takes longer is followed by the next one at once.
    late = machine(*SOC, *IDEAL, *one_core(3000, 0), f"{OWN}frame_rate=1000")
    late.run(immediate_frame(0))
    found = late.run(immediate_frame(1))
    assert find(found, "interval_cycles")[0] > 1_500_000
    assert find(found, "paused_cycles") == [0]


def test_traffic_of_the_cpu_falls_when_the_gpu_begins_and_ends_before_it(machine: Any) -> None:
    one = machine(
        *SOC, *LOADED, f"{OWN}display=off", f"{OWN}frame_rate=0", f"{OWN}frame_kilocycles=100",
        f"{OWN}background_kilocycles=10", f"{OWN}interval_cycles=1000", f"{OWN}background_misses=200",
    )  # fmt: skip
    one.run(immediate_frame(5, primitives=60))
    table = rows(one.chip, (), 0).to_pydict()
    bytes_ = {
        phase: [b for b, p in zip(table["cpu_bytes"], table["phase"], strict=True) if p == phase]
        for phase in ("computes", "renders")
    }
    assert np.mean(bytes_["renders"]) < np.mean(bytes_["computes"]) / 2
    assert bytes_["renders"][-1] == 0
    assert sum(b for b, p in zip(table["gpu_bytes"], table["phase"], strict=True) if p == "computes") == 0


def test_on_the_tile_based_machine(machine: Any) -> None:
    """The same: 30,000 cycles of 2 GHz are 15,000 of 1 GHz, and the GPU renders as without the technique."""
    ours = ("techniques=soc", "clocks.gpu_mhz=1000", *IDEAL, *one_core(30, 0))
    found = machine(*ours, compiled=False).run(synthetic(primitives=3, largest=6))
    alone = machine("clocks.gpu_mhz=1000", *IDEAL, compiled=False).run(synthetic(primitives=3, largest=6))
    assert find(found, "cpu_cycles") == [15_000]
    assert found["gpu.cycles"] == alone["gpu.cycles"] + 15_001


def display(width: int, height: int, ahead: int = 2) -> tuple[str, ...]:
    """A display of 1000 frames a second, a million cycles each, which takes lines and holds some ahead."""
    return (
        *shown(width, height), f"{OWN}late_pixels={width}", f"{OWN}buffer_bytes={ahead * width * 4}",
        f"{OWN}blank_lines=0",
    )  # fmt: skip


def shown(width: int, height: int) -> tuple[str, ...]:
    """A display of 1000 frames a second: a million cycles each."""
    return (
        f"{OWN}display=on", f"{OWN}refresh_rate=1000", f"{OWN}display_width={width}", f"{OWN}display_height={height}",
    )  # fmt: skip


def test_the_display_takes_what_it_shows(machine: Any) -> None:
    """256 x 48 pixels of 4 bytes, in four periods."""
    one = machine(*SOC, *LPDDR3, *one_core(1000, 0), f"{OWN}frame_rate=500", *display(256, 48))
    found = [one.run(immediate_frame(n)) for n in range(3)]
    names = ("requested_bytes", "served_bytes", "requests", "answers")
    frames = ("frames_begun", "frames_shown", "frames_repeated", "frames_aborted")
    totals = {name: sum(f[f"techniques.soc.display.{name}"] for f in found) for name in (*names, *frames)}
    cycles = sum(f["gpu.cycles"] for f in found)
    assert 4_000_000 < cycles < 5_000_000
    assert totals["frames_begun"] == 5
    assert totals["frames_shown"] == 4
    assert totals["frames_aborted"] == 0
    # Frames are complete after 0.5, 2.5 and 4.5 million cycles: what was shown from 1 on is shown again from 2 on.
    assert totals["frames_repeated"] == 1
    assert totals["requested_bytes"] >= 4 * 256 * 48 * 4
    assert totals["requested_bytes"] / cycles == pytest.approx(256 * 48 * 4 / 1_000_000, rel=0.02)
    assert totals["requests"] * 64 == totals["requested_bytes"] == totals["served_bytes"]
    assert totals["requests"] == totals["answers"]
    assert sum(f["memory.dram.read_bytes.display"] for f in found) == totals["served_bytes"]


def test_frames_that_a_memory_is_too_slow_for_are_aborted(machine: Any) -> None:
    """Lines of 4096 bytes each 1000 cycles from a memory that moves 1.06: none is in time, and each frame ends with its
    first line, of which two were in the buffer."""
    one = machine(*SOC, *LOADED, *one_core(1000, 0), f"{OWN}frame_rate=500", *display(1024, 1000))
    found = [one.run(immediate_frame(n)) for n in range(2)]
    begun, shown, aborted, requests, answers = (
        sum(f[f"techniques.soc.display.{name}"] for f in found)
        for name in ("frames_begun", "frames_shown", "frames_aborted", "requests", "answers")
    )
    assert shown == 0
    assert begun == aborted > 1
    assert requests == answers
    # Three lines of 64 requests at most, by which time the first should be here.
    assert requests <= begun * 3 * 64


def test_pixels_are_shown_behind_blank_lines() -> None:
    """A period of 1000 cycles: two blank pieces, then eight that are shown."""
    part = load_part("agents.display_controller", compiled=False, machine="immediate", techniques=("soc",))
    own = SimpleNamespace(start=1000, next_start=2000, pieces=8, blank=2)
    assert [part.piece_time(own, piece) for piece in (-1, 0, 1, 7, 8)] == [1000, 1200, 1300, 1900, 2000]


@pytest.mark.parametrize(("lines", "late"), [(20, False), (1000, True)])
def test_the_buffer_bounds_what_is_read_ahead(machine: Any, lines: int, late: bool) -> None:
    """32 pixels are 128 bytes, 120 cycles of the memory. With 20 lines they are shown each 1420 cycles; with 1000, each
    31: a frame ends with the first that are late, when the buffer of 2 KB and what has been shown were read."""
    one = machine(*SOC, *LOADED, *one_core(1000, 0), f"{OWN}frame_rate=500", *shown(1024, lines), f"{OWN}blank_lines=2")
    found = [one.run(immediate_frame(n)) for n in range(2)]
    begun, aborted, requested = (
        sum(f[f"techniques.soc.display.{name}"] for f in found)
        for name in ("frames_begun", "frames_aborted", "requested_bytes")
    )
    assert begun > 1
    assert aborted == (begun if late else 0)
    assert requested / begun <= (2048 + 128 * 64 if late else 4 * 1024 * lines)


def test_a_channel_of_their_own_bounds_the_ips_to_half(machine: Any) -> None:
    """Frames that are bound by the memory, of two channels of 4 bytes and two transfers each per cycle."""
    rates = {}
    for channels in (0, 1):
        one = machine(*SOC, *LOADED, *QUIET, f"dram.cpu_channels={channels}")
        found = one.run(immediate_frame(5, primitives=60))
        memory_cycles = found["techniques.soc.gpu_cycles"] * 0.0665
        rates[channels] = found["memory.dram.gpu.bytes"] / memory_cycles
    assert rates[1] <= 8 * 1.01
    assert 8 < rates[0] <= 16 * 1.01
    # The CPU's channel is left alone.
    assert int(one.gpu.dram.channel[0].read_commands) == 0
    assert int(one.gpu.dram.channel[1].read_commands) > 0


def test_dash_serves_light_threads_first(machine: Any) -> None:
    """Reads of the CPU wait less than first ready, first come, and the GPU's frame takes longer."""
    found = {}
    for policy in ("fr_fcfs", "dash"):
        one = machine(
            *SOC, *LOADED, f"dram.scheduling={policy}", f"{OWN}display=off", f"{OWN}frame_rate=0",
            f"{OWN}frame_kilocycles=20", f"{OWN}background_kilocycles=100",
            "dash.gpu_period_us=100000", "dash.clustering_factor=1000",
        )  # fmt: skip
        found[policy] = one.run(immediate_frame(5, primitives=60))
    assert found["dash"]["memory.dram.cpu.read_latency"] < found["fr_fcfs"]["memory.dram.cpu.read_latency"]
    assert found["dash"]["techniques.soc.gpu_cycles"] > found["fr_fcfs"]["techniques.soc.gpu_cycles"]


def test_dash_serves_an_urgent_gpu_first(machine: Any) -> None:
    """With a deadline that has passed at once the GPU goes before all threads."""
    times = {}
    for period in (1, 100_000):
        one = machine(
            *SOC, *LOADED, "dram.scheduling=dash", f"{OWN}display=off", f"{OWN}frame_rate=0",
            f"{OWN}frame_kilocycles=20", f"{OWN}background_kilocycles=100", f"dash.gpu_period_us={period}",
        )  # fmt: skip
        times[period] = one.run(immediate_frame(5, primitives=60))["techniques.soc.gpu_cycles"]
    assert times[1] < times[100_000]


def random_soc(seed: int) -> list[str]:
    """A random system with frames of some thousand cycles."""
    rnd = random.Random(seed)
    own = {
        "frame_rate": (0, 1000), "interval_cycles": (500, 7000), "cores": (2, 4), "cpu_mhz": (700, 2000),
        "intensive_cores": (0, 2), "frame_kilocycles": (0, 1, 7), "background_kilocycles": (0, 3),
        "background_misses": (0, 500), "intensive_misses": (20_000, 300_000), "light_misses": (0, 3000),
        "intensive_outstanding": (1, 32), "light_outstanding": (1, 3), "intensive_sequential": (0, 900),
        "write_backs": (0, 1000), "footprint_kilobytes": (1, 4096), "spread": (0, 1000), "display": ("on", "off"),
        "refresh_rate": (999, 1000), "display_width": (64, 250), "display_height": (3, 40),
        "buffer_bytes": (0, 5000), "blank_lines": (0, 9), "late_pixels": (1, 300),
    }  # fmt: skip
    memory = {
        "dram": ("simple", "lpddr3-1333-2x32", "lpddr3-133-2x32", "lpddr3-1600-4x32"),
        "dram.scheduling": ("specification", "dash", "dash", "priority"), "dram.queue": (1, 8, 32),
        "dram.row_accesses": (0, 1, 16), "dram.stripe_bytes": (0, 64),
        "dash.scheduling_unit": (100, 1000), "dash.switching_unit": (50, 500), "dash.shuffling_interval": (80, 800),
        "dash.quantum": (1000, 20_000), "dash.emergent": ("time", "share"),
        "dash.clustering_bandwidth": ("cpu", "system"),
        "dash.display_period_us": (20, 1000), "dash.gpu_period_us": (1, 20), "clocks.memory_mhz": (100, 667),
    }  # fmt: skip
    chosen = [f"{name}={rnd.choice(values)}" for name, values in memory.items()]
    if chosen[0] == "dram=simple" or rnd.random() < 0.5:
        chosen.append("dram.cpu_channels=0")
    else:
        chosen.append(f"dram.cpu_channels={2 if '4x32' in chosen[0] else 1}")
    if "dram.scheduling=priority" in chosen:
        chosen.append("dram.priority=display")
    return ["machine=immediate", "techniques=soc", *chosen, *(f"{OWN}{n}={rnd.choice(v)}" for n, v in own.items())]


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 6 else pytest.mark.slow) for n in range(60)])
def test_skipping_idle_units_changes_nothing(machine: Any, seed: int) -> None:
    settings_ = random_soc(seed)
    one, other = machine(*settings_), machine(*settings_)
    for number in range(2):
        frame = immediate_frame(seed + number)
        assert one.run(frame) == other.run(frame, every=True)
        assert rows(one.chip, (), 0) == rows(other.chip, (), 0)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 6))])
def test_compiled_and_plain_machines_agree(machine: Any, seed: int) -> None:
    settings_ = [*random_soc(seed), f"{OWN}frame_rate=0", f"{OWN}frame_kilocycles=1"]
    frame = immediate_frame(0, primitives=3)
    assert machine(*settings_).run(frame) == machine(*settings_, compiled=False).run(frame)


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 6 else pytest.mark.slow) for n in range(40)])
def test_nothing_is_lost(machine: Any, seed: int) -> None:
    """What was asked for and not answered is on its way, and every byte is somebody's."""
    one = machine(*random_soc(seed))
    for number in range(3):
        found = one.run(immediate_frame(seed + number))
        of = {kind: found[f"memory.dram.{kind}.bytes"] for kind in CLASSES}
        assert sum(of.values()) == found["memory.dram.bytes"]
        assert of["cpu"] == found["memory.dram.read_bytes.cpu"] + found["memory.dram.write_bytes.cpu"]
    gpu = one.gpu
    for k in range(int(gpu.instances.cpu_core)):
        core = gpu.cpu_core[k]
        assert core.misses == core.answers + core.outstanding
        assert 0 <= core.outstanding <= core.limit
        assert gpu.port[core.port].outstanding == core.outstanding
    if gpu.instances.display_controller:
        own = gpu.display_controller
        assert own.requests == own.answers + gpu.port[own.port].outstanding
        assert own.begun - 1 <= own.shown + own.aborted <= own.begun
