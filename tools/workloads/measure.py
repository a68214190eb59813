"""Measurement of a twin: its trace recorded and characterized as `tilegpu stats` does."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config.load import load_configuration
from tilegpu.timing.loading.textures.reuse import SINGLE, block_reuse
from tilegpu.timing.results.workload import Workload, workload

from .make import TraceContents, make
from .scene import Thing
from .solved import ROLES
from .texels import NEAR_REUSE, TEXEL_TRAFFIC, near_reuse, texel_traffic
from .twin import Twin

Array = np.ndarray[Any, Any]
SINGLE_TILE_SHARE = "single_tile_share"
"""Column of twins that no verb prints: share of the texture blocks that one tile of the frame uses (000 Fig. 5.12)."""
MOMENTS = 4, 11, 19, 26, 34, 41, 49, 56
"""Frames of 60 whose mean stands for all 60: where a camera stands still at times it does so in one of these eight."""
STILL_ROLES = "backdrop", "ground"
"""Roles left out where work per tile is compared: sky and ground are everywhere."""


@dataclass(frozen=True)
class TwinMeasurement:
    """Contents of a twin's trace, and its characteristics.

    Attributes
    ----------
    contents, characteristics
        The trace, and what `tilegpu stats` tells of it.
    programs, textures
        Used by any draw.
    variation
        Coefficient of variation of the fragment instructions per tile, sky and ground apart.
    texture_blocks
        Blocks of textures by the shortest distance of the tiles that use them, as `block_reuse` returns them; zeros
        unless the twin has a target for them.
    of_machine
        Columns of `texels`, means of the runs; the traffic only if the twin has a target for it.
    """

    contents: TraceContents
    characteristics: Workload
    programs: int
    textures: int
    variation: float
    texture_blocks: Array
    of_machine: dict[str, float]

    def columns(self) -> dict[str, float]:
        """The columns of all frames together; the share of blocks of one tile where it was asked for."""
        blocks = float(self.texture_blocks.sum())
        share = {SINGLE_TILE_SHARE: self.texture_blocks[SINGLE] / blocks} if blocks else {}
        return self.characteristics.columns() | share | self.of_machine

    def of_roles(self, count: str) -> dict[str, float]:
        """A count of draws summed by the role of what they draw, over all frames."""
        total = dict.fromkeys(ROLES, 0.0)
        for thing, draws, place in self._drawn():
            total[thing.role] += float(draws[count][place])
        return total

    def draws_of_roles(self) -> dict[str, float]:
        """Draws by role of which a fragment is shaded, over all frames."""
        total = dict.fromkeys(ROLES, 0.0)
        for thing, draws, place in self._drawn():
            total[thing.role] += float(draws["fragments_shaded"][place] > 0)
        return total

    def _drawn(self) -> list[tuple[Thing, dict[str, Array], int]]:
        return [
            (self.contents.things[thing], draws, place)
            for order, draws in zip(self.contents.orders, self.characteristics.draws, strict=True)
            for place, thing in enumerate(order)
        ]


def measure(twin: Twin, runs: Sequence[Sequence[float]], jobs: int = 1, pictures: bool = False) -> TwinMeasurement:
    """Draw frames of a twin, record and characterize them; nothing is kept on disk.

    Parameters
    ----------
    twin
        The twin.
    runs
        Times of frames, in frames; frames of one run follow each other and are compared.
    jobs
        Threads of the renderer.
    pictures
        Whether colours are compared, too.
    """
    parts = [_measured(twin, times, jobs, pictures) for times in runs]
    first = parts[0]
    made = replace(first.contents, orders=[order for part in parts for order in part.contents.orders])
    characteristics = replace(
        first.characteristics,
        frames=tuple(range(sum(len(part.characteristics.frames) for part in parts))),
        counts=tuple(counts for part in parts for counts in part.characteristics.counts),
        draws=tuple(draws for part in parts for draws in part.characteristics.draws),
    )
    variation = float(np.mean([part.variation for part in parts]))
    blocks = sum((part.texture_blocks for part in parts), np.zeros(SINGLE + 1, np.int64))
    of_machine = {name: float(np.mean([part.of_machine[name] for part in parts])) for name in first.of_machine}
    return TwinMeasurement(
        made,
        characteristics,
        max(p.programs for p in parts),
        max(p.textures for p in parts),
        variation,
        blocks,
        of_machine,
    )


def _measured(twin: Twin, times: Sequence[float], jobs: int, pictures: bool) -> TwinMeasurement:
    with tempfile.TemporaryDirectory(prefix="tilegpu-") as folder:
        trace, path = Path(folder) / "twin.trace", Path(folder) / "activity"
        made = make(twin, trace, times)
        record(trace, path, jobs=jobs, groups=frozenset({"pass_images"}) if pictures else frozenset[str]())
        characteristics = workload(path, (twin.tile, twin.tile))
        activity = Activity(path)
        rows = [
            row
            for frame in activity.frames
            for row in activity.frame("draws", frame, ["program", "bindings"]).to_pylist()
        ]
        surfaces = {b["surface"] for row in rows for b in row["bindings"] or ()}
        variation = np.mean(
            [_variation(activity, twin, made, characteristics, i) for i in range(len(characteristics.frames))]
        )
        blocks = texture_blocks(path) if SINGLE_TILE_SHARE in twin.targets else np.zeros(SINGLE + 1, np.int64)
        programs = len({row["program"] for row in rows})
        return TwinMeasurement(
            made, characteristics, programs, len(surfaces), float(variation), blocks, _of_machine(twin, path)
        )


def _of_machine(twin: Twin, path: Path) -> dict[str, float]:
    """Columns that need a machine, or its order of tiles."""
    if twin.is_model:
        return {}
    traffic = {TEXEL_TRAFFIC: texel_traffic(path)} if TEXEL_TRAFFIC in twin.targets else {}
    return traffic | {NEAR_REUSE: near_reuse(path)}


def texture_blocks(path: Path) -> Array:
    """Blocks of textures in an activity by the shortest distance of tiles that use them, int64 (4,).

    Blocks and tiles are those of the Parallel Tile Rendering thesis: 64 bytes, 32 x 32 pixels.
    """
    loader = Loader(path, load_configuration("ptr-2022"))
    return sum((block_reuse(loader.load(frame)) for frame in loader.frames), np.zeros(SINGLE + 1, np.int64))


def _variation(activity: Activity, twin: Twin, made: TraceContents, characteristics: Workload, number: int) -> float:
    """Coefficient of variation, over tiles, of the instructions of fragments that are neither sky nor ground."""
    frame, draws = characteristics.frames[number], characteristics.draws[number]
    first = activity.frame("draws", frame, ["draw"])["draw"].to_numpy()
    draw = np.searchsorted(first, activity.frame("primitives", frame, ["draw"])["draw"].to_numpy())
    quads = activity.frame("quads", frame, ["primitive", "x", "y", "depth_pass"])
    of = draw[quads["primitive"].to_numpy()]
    each = draws["fragment_instructions"] / np.maximum(draws["fragments_shaded"], 1)
    each[[made.things[thing].role in STILL_ROLES for thing in made.orders[number]]] = 0
    alive = quads["depth_pass"].to_numpy()
    lanes = sum((alive >> lane & 1).astype(float) for lane in range(4))
    across, up = -(-twin.width // twin.tile), -(-twin.height // twin.tile)
    tile = (
        quads["y"].to_numpy().astype(int) * 2 // twin.tile * across + quads["x"].to_numpy().astype(int) * 2 // twin.tile
    )
    work = np.bincount(tile, lanes * each[of], across * up)
    return float(work.std() / work.mean()) if work.mean() > 0 else 0.0
