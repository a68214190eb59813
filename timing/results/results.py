"""Results of a replay: statistics per frame and in total, with the configuration that gave them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.arrow_files import write_parquet
from tilegpu.functional.activity.output import check_place, naming, whole_folder
from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.statistics import Stat

from ..config.schema import Configuration
from ..config.toml import configuration_toml
from . import tiles, units
from .arm.names import arm_names
from .energy.report import Report, report
from .shown import results_html, results_line
from .statistics import statistics

if TYPE_CHECKING:
    from .timeline import Timeline

MAIN = (
    "gpu.cycles",
    "gpu.geometry_cycles",
    "gpu.raster_cycles",
    "geometry.vertex_processor.vertices",
    "geometry.primitive_assembly.primitives",
    "tiling.primitives_per_tile",
    "raster.rasterizer.quads",
    "raster.early_depth.killed_quads",
    "raster.early_depth.mismatched_quads",
    "fragment.processor.quads",
    "fragment.processor.busy_cycles",
    "fragment.texture_unit.lines",
    "simt.core.quads",
    "simt.core.busy_cycles",
    "simt.core.threads_per_instruction",
    "simt.raster.hidden_quads",
    "memory.texture_cache.hit_rate",
    "memory.l2_cache.hit_rate",
    "memory.tile_cache.hit_rate",
    "memory.dram.read_bytes",
    "memory.dram.write_bytes",
    "memory.dram.row_hit_rate",
)
"""Statistics of the short table."""


ENERGY_SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("structure", pa.string()),
        ("unit", pa.string()),
        ("dynamic_pj", pa.float64()),
        ("static_pj", pa.float64()),
        ("profile", pa.string()),
        ("node_nm", pa.int32()),
    ]
)


FILES = (
    "stats.json",
    "stats.parquet",
    "units.parquet",
    "tiles.parquet",
    "energy.json",
    "energy.parquet",
    "config.toml",
)
"""Every folder of results has these."""


class ResultsError(UserError):
    """Results that cannot be written or read."""


def check_whole(folder: Path) -> None:
    """ResultsError if a folder of results lacks one of its files."""
    for name in FILES:
        if not (folder / name).is_file():
            raise ResultsError(f"{folder}: lacks {name}, so that its results are not whole; replay again with --force")


def check_folder(folder: Path, replace: bool, mark: str = "stats.json") -> None:
    """ResultsError if results must not be written there, OSError if they cannot be; `mark`: file that results have."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if not (folder / mark).is_file():
            raise ResultsError(f"{folder}: exists and holds no results; choose another folder")
        if not replace:
            raise ResultsError(f"{folder}: holds results already; choose another folder or pass --force")
    check_place(folder)


def derive(stats: Sequence[Stat], counted: dict[str, float]) -> dict[str, float]:
    """All statistics from the counted ones; measured ones that are not there are 0."""
    values = {stat.name: 0.0 for stat in stats if stat.measured} | counted
    for stat in stats:
        if stat.derive is not None:
            values[stat.name] = stat.derive(values)
    return {stat.name: values[stat.name] for stat in stats}


@dataclass(repr=False)
class Results:
    """Statistics of a replay.

    Parameters
    ----------
    configuration
        Hardware.
    source
        Name and hash of the capture, as the activity has them.
    frames
        Frames counted, in order.
    counted
        Counted and measured statistics of each of them.
    spent
        What each unit's cycles went on, of each of them.
    tiles
        What became of each tile, of each of them.
    warm_up
        Frames that ran before and count nowhere.
    own
        Tables of techniques, by name.
    first_fills
        Misses of the last-level cache that filled empty lines, by kind (`first_fills.KINDS`) and frame, those that warm
        up included.
    checked
        Whether pictures were compared.
    timeline
        What happened when in the frames that were watched, if any.
    """

    configuration: Configuration
    source: dict[str, str]
    frames: list[int] = field(default_factory=list)
    counted: list[dict[str, float]] = field(default_factory=list)
    spent: list[units.Cycles] = field(default_factory=list)
    tiles: list[pa.Table] = field(default_factory=list)
    warm_up: int = 0
    own: dict[str, list[pa.Table]] = field(default_factory=dict)
    first_fills: dict[str, dict[int, int]] = field(default_factory=dict)
    checked: bool = False
    timeline: Timeline | None = None

    def __repr__(self) -> str:
        return results_line(self)

    def _repr_html_(self) -> str:
        """Table for a notebook."""
        return results_html(self)

    @cached_property
    def statistics(self) -> tuple[Stat, ...]:
        """Every statistic of the configuration."""
        return statistics(self.configuration)

    def add_tables(self, tables: Mapping[str, pa.Table]) -> None:
        """Add a frame's tables of techniques."""
        for name, table in tables.items():
            self.own.setdefault(name, []).append(table)

    def of(self, frames: Sequence[int]) -> Results:
        """The same where only some of its frames count; the others count as warm-up."""
        places = [self.frames.index(number) for number in frames]
        return replace(
            self,
            frames=list(frames),
            counted=[self.counted[i] for i in places],
            spent=[self.spent[i] for i in places],
            tiles=[self.tiles[i] for i in places],
            warm_up=self.warm_up + len(self.frames) - len(frames),
            own={
                name: [table.filter(pc.is_in(table["frame"], pa.array(frames, pa.int32()))) for table in tables]
                for name, tables in self.own.items()
            },
        )

    def frame(self, number: int) -> dict[str, float]:
        """All statistics of one frame."""
        return derive(self.statistics, self.counted[self.frames.index(number)])

    def by_frame(self) -> list[dict[str, float]]:
        """Number, as `frame`, and all statistics of each frame."""
        return [{"frame": number} | self.frame(number) for number in self.frames]

    def totals(self) -> dict[str, float]:
        """All statistics over all frames: sums, and what derives from sums."""
        names = [stat.name for stat in self.statistics if stat.path or stat.measured]
        return derive(self.statistics, {name: sum(frame.get(name, 0.0) for frame in self.counted) for name in names})

    def table(self, every: bool = False) -> list[tuple[str, float, str]]:
        """Name, value and unit of the main statistics (or of every one) over all frames."""
        totals = self.totals()
        return [(stat.name, totals[stat.name], stat.unit) for stat in self.statistics if every or stat.name in MAIN]

    def tile_table(self) -> pa.Table:
        """Rows of all frames, as tiles.parquet has them."""
        return pa.concat_tables(self.tiles) if self.tiles else pa.Table.from_pylist([], tiles.SCHEMA)

    def energy(self, number: int | None = None) -> Report:
        """Energy of one frame, or of all of them."""
        return report(self.configuration, self.totals() if number is None else self.frame(number))

    def write(self, folder: Path, replace: bool = False) -> None:
        """Write statistics, energy and the configuration into a folder, which appears when it is whole.

        The files are stats.parquet, stats.json, units.parquet, tiles.parquet, energy.parquet, energy.json,
        config.toml, and those of techniques.

        Raises
        ------
        ResultsError
            If the folder exists already and is not to be replaced, or holds something else.
        OSError
            If it cannot be written.
        """
        folder = Path(folder)
        check_folder(folder, replace)
        energy = self.energy().as_json() | {"format": "tilegpu-energy", "frames": len(self.frames)}
        texts = {
            "stats.json": json.dumps(self._json(), indent=1) + "\n",
            "energy.json": json.dumps(energy, indent=1) + "\n",
            "config.toml": configuration_toml(self.configuration),
        }
        with whole_folder(folder) as partial:
            for name, table in self._tables().items():
                with naming(partial / f"{name}.parquet"):
                    write_parquet(table, partial / f"{name}.parquet", compression="zstd")
            for name, text in texts.items():
                with naming(partial / name):
                    (partial / name).write_text(text, "utf-8")

    def _tables(self) -> dict[str, pa.Table]:
        """Tables to write, by the names of their files."""
        tables = {"stats": self._stats_table(), "units": units.table(self.frames, self.spent)}
        if self.tiles:
            tables["tiles"] = pa.concat_tables(self.tiles)
        technique_tables = {name: pa.concat_tables(parts) for name, parts in self.own.items()}
        return tables | technique_tables | {"energy": self.energy_table()}

    def _stats_table(self) -> pa.Table:
        rows = [
            (number, stat, values[stat.name])
            for number, values in zip(self.frames, map(self.frame, self.frames), strict=True)
            for stat in self.statistics
        ]
        return pa.table(
            {
                "frame": pa.array([r[0] for r in rows], pa.int32()),
                "name": pa.array([r[1].name for r in rows], pa.string()),
                "value": pa.array([float(r[2]) for r in rows], pa.float64()),
                "unit": pa.array([r[1].unit for r in rows], pa.string()),
                "group": pa.array([r[1].group for r in rows], pa.string()),
            }
        )

    def energy_table(self) -> pa.Table:
        """One row per frame and structure; the memory's kinds of energy are structures of the unit `dram`."""
        rows: list[dict[str, Any]] = []
        for number in self.frames:
            frame = self.energy(number)
            common = {"frame": number, "profile": frame.technology.profile, "node_nm": frame.technology.node_nm}
            for row in frame.structures:
                energy = {"dynamic_pj": row.dynamic_pj, "static_pj": row.static_pj}
                rows.append(common | {"structure": row.name, "unit": row.unit} | energy)
            for kind, value in asdict(frame.memory).items():
                name = kind.removesuffix("_pj")
                static = name.startswith(("active", "idle", "self_refresh"))
                energy = {"dynamic_pj": 0.0 if static else value, "static_pj": value if static else 0.0}
                rows.append(common | {"structure": name, "unit": "dram"} | energy)
        return pa.Table.from_pylist(rows, ENERGY_SCHEMA)

    def _json(self) -> dict[str, Any]:
        public = arm_names(self.configuration)
        return {
            "format": "tilegpu-results",
            "format_version": 1,
            "tool_version": version("tilegpu"),
            "source": self.source,
            "warm_up_frames": self.warm_up,
            **({"checked_images": True} if self.checked else {}),
            "l2_first_fills": self.first_fills,
            "configuration": self.configuration.model_dump(mode="json"),
            "statistics": {
                stat.name: {"unit": stat.unit, "description": stat.description}
                | ({"formula": stat.formula} if stat.formula else {})
                | ({"arm_name": public[stat.name]} if stat.name in public else {})
                for stat in self.statistics
            },
            "totals": self.totals(),
            "frames": self.by_frame(),
        }
