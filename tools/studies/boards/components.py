"""Times that parts of a GPU need for a scene, each as if it were alone: what a roofline is the largest of, and what
bounds a scene."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from tilegpu.functional.activity.reader import Activity
from tilegpu.timing.config import Configuration
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.tiles import Tiles
from tilegpu.timing.units.fragment_warp_launcher import FragmentWarpLauncherParameters
from tilegpu.timing.units.simt_core import SimtCoreParameters
from tilegpu.timing.units.texture_unit import TextureUnitParameters
from tilegpu.timing.units.tile_flush import TileFlushParameters

from ..measured import Measured
from ..selection import configuration_of
from .board import Board

PARTS = ("processor", "texture", "bandwidth", "geometry")
SCALAR = ("unified", "simt")
"""Machines whose cores execute vertices and fragments."""


def components_ms(m: Measured, board: Board, name: str, machine: str = "") -> dict[str, float]:
    """Time per frame that each part of the GPU needs at its peak rate; of geometry, the time that it took.

    Parameters
    ----------
    m, board
        Runs, and the board.
    name
        Scene.
    machine
        Name of the machine; the board's own without.
    """
    ran = machine or board.label
    c = configuration_of(m.selection.study.machines()[ran])
    counts = summary(m, name)
    cycles = {
        "processor": _issued(m, name, ran, c) / m.frames(name),
        "texture": counts["texture_lookups"] / _texels_per_cycle(c),
        "bandwidth": m.value(name, ran, "memory.dram.bytes") / _bytes_per_cycle(c) / m.frames(name),
        "geometry": m.value(name, ran, "gpu.geometry_cycles") / m.frames(name),
    }
    flushed = counts["fragments_written"] / max(1, c.of(TileFlushParameters).pixels_per_cycle or 16)
    cycles["bandwidth"] = max(cycles["bandwidth"], flushed, _blended(counts["quads_shaded"], c))
    return {part: value / board.scenes[name].gpu_mhz / 1000 for part, value in cycles.items()}


def roofline_ms(m: Measured, board: Board) -> dict[str, float]:
    """Time per frame of the part that takes longest, as if all the others were hidden behind it."""
    return {name: max(components_ms(m, board, name).values()) for name in board.here(m)}


def naive_ms(m: Measured, board: Board) -> dict[str, float]:
    """Time per frame in proportion to instructions: pixels times those of a pixel, vertices likewise."""
    times = {}
    for name in board.here(m):
        counts = summary(m, name)
        # A frame without any draws is taken to have one.
        times[name] = max(1.0, counts["fragment_instructions"] + counts["vertex_instructions"]) / 1e6
    return times


def summary(m: Measured, name: str) -> dict[str, float]:
    """Counts of the activity per frame, all programs together."""
    return _summary(m.activity(name).folder, tuple(m.counted_frame_numbers(name)))


@lru_cache(maxsize=1024)
def _summary(folder: Path, counted: tuple[int, ...]) -> dict[str, float]:
    table = Activity(folder).table("summary").to_pylist()
    mine = [row for row in table if row["frame"] in counted]
    names = [name for name in (mine[0] if mine else {}) if name not in ("frame", "program")]
    return {name: sum(row[name] for row in mine) / len(counted) for name in names}


def _issued(m: Measured, name: str, ran: str, c: Configuration) -> float:
    """Cycles in which all processors issue."""
    if c.machine in SCALAR:
        core = c.of(SimtCoreParameters)
        return m.value(name, ran, "simt.core.scalar_instructions") / (core.clusters * core.schedulers)
    return m.value(name, ran, "fragment.processor.busy_cycles") / (
        c.of(Tiles).raster_units * c.of(FragmentStage).processors
    )


def _texels_per_cycle(c: Configuration) -> float:
    """Bilinear texels per cycle of all texture units."""
    if c.machine in SCALAR:
        core = c.of(SimtCoreParameters)
        return core.clusters * (core.texture_threads or core.warp_threads)
    units = c.of(Tiles).raster_units * c.of(FragmentStage).processors
    return 4 * units / c.of(TextureUnitParameters).probe_cycles


def _bytes_per_cycle(c: Configuration) -> float:
    """Bytes per GPU cycle that memory and the bus to it move."""
    memory = c.dram.peak_bytes_per_memory_cycle * float(c.clocks.memory / c.clocks.gpu)
    return min(memory, c.dram.bus_bytes_per_cycle or memory)


def _blended(quads: float, c: Configuration) -> float:
    """Cycles in which all Raster Units blend."""
    each = c.of(FragmentWarpLauncherParameters).quad_cycles if c.machine == "unified" else 1
    return quads * max(1, each) / c.of(Tiles).raster_units
