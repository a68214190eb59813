"""Characteristics of a workload, from its activity alone: the columns of the thesis' Tables 3.2 and 3.3.

No hardware is in them but the size of the tiles that primitives are binned to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.reader import Activity

from ..config.load import load_configuration
from ..loading.load import Loader
from ..loading.source import ActivityError, numbers

Array = np.ndarray[Any, Any]
CLASSES = ("alu", "sfu", "tex", "flow")


@dataclass(frozen=True)
class Column:
    """A column: a quotient of two counts, so that means over frames are those over everything counted."""

    name: str
    unit: str
    above: str
    below: str
    description: str


COLUMNS = (
    Column("draw_calls_per_frame", "draws/frame", "draws", "frames", "draw calls"),
    Column(
        "vertex_instructions_per_vertex",
        "instructions/vertex",
        "vertex_instructions",
        "vertices",
        "instructions executed per distinct vertex of a draw",
    ),
    Column(
        "primitives_per_draw",
        "primitives/draw",
        "primitives",
        "draws",
        "primitives assembled, before clipping and culling",
    ),
    Column(
        "primitives_per_tile",
        "primitives/tile",
        "binned",
        "tiles",
        "primitives in the list of a tile, by exact overlap, over all tiles of the passes",
    ),
    Column(
        "fragments_per_primitive",
        "fragments/primitive",
        "fragments",
        "primitives_kept",
        "covered fragments of a primitive that is not culled",
    ),
    Column(
        "attributes_per_primitive",
        "attributes/primitive",
        "attributes",
        "primitives_kept",
        "vec4 attributes interpolated, the position among them",
    ),
    Column(
        "fragment_instructions_per_fragment",
        "instructions/fragment",
        "fragment_instructions",
        "fragments_shaded",
        "instructions executed per shaded fragment, helpers not counted",
    ),
    Column(
        "alu_per_texture_instruction",
        "instructions/instruction",
        "alu",
        "tex",
        "arithmetic instructions (special functions too) per texture instruction of the fragment shaders",
    ),
    Column(
        "texels_per_fragment",
        "texels/fragment",
        "texels",
        "fragments_shaded",
        "texels fetched: 1 nearest, 4 bilinear, 8 trilinear, each once per probe",
    ),
    Column("overdraw", "fragments/pixel", "fragments_shaded", "pixels", "fragments shaded per pixel of the images"),
)
"""Tables 3.2 and 3.3 of the thesis, from left to right."""

COUNTS = (
    *("frames", "draws", "vertices", "vertex_instructions", "primitives", "primitives_kept", "binned", "tiles"),
    *("attributes", "fragments", "fragments_shaded", "fragment_instructions", "alu", "tex", "texels", "pixels"),
)


@dataclass(frozen=True)
class Workload:
    """Counts per frame, and what follows from them.

    `counts` has a mapping per frame of `frames`, with the names of `COUNTS`.
    """

    name: str
    tile: tuple[int, int]
    frames: tuple[int, ...]
    counts: tuple[dict[str, int], ...]

    def columns(self, frame: int | None = None) -> dict[str, float]:
        """The columns of one frame, or of all together; NaN where there is nothing to divide by."""
        chosen = [c for f, c in zip(self.frames, self.counts, strict=True) if frame in (None, f)]
        total = {name: sum(c[name] for c in chosen) for name in COUNTS}
        return {c.name: total[c.above] / total[c.below] if total[c.below] else float("nan") for c in COLUMNS}

    def table(self) -> pa.Table:
        """One row per frame: frame, counts, columns."""
        rows = [
            {"frame": f} | c | self.columns(f) for f, c in zip(self.frames, self.counts, strict=True)
        ]  # fmt: skip
        kinds = [("frame", pa.int32()), *((n, pa.int64()) for n in COUNTS), *((c.name, pa.float64()) for c in COLUMNS)]
        return pa.Table.from_pylist(rows, pa.schema(kinds))


def workload(
    folder: Path, tile: tuple[int, int] = (32, 32), progress: Callable[[int, int], None] | None = None
) -> Workload:
    """Characterize an activity.

    Parameters
    ----------
    folder
        Activity of level `visible` or `all`.
    tile
        Width and height of a tile in pixels.
    progress
        Called with how many frames are done, of how many.

    Raises
    ------
    ActivityError
        If the activity cannot be read.
    ConfigurationError
        If tiles cannot have that size.
    """
    configuration = load_configuration("ptr-2022", [f"tiles.width={tile[0]}", f"tiles.height={tile[1]}"])
    loader = Loader(folder, configuration)
    lengths = _Lengths(loader.source)
    counts = []
    for done, frame in enumerate(loader.frames):
        if progress is not None:
            progress(done, len(loader.frames))
        counts.append(_count(loader, frame, lengths))
    return Workload(loader.source.manifest.source_name, tile, tuple(loader.frames), tuple(counts))


class _Lengths:
    """Instructions per class that each path executes."""

    def __init__(self, activity: Activity) -> None:
        instructions = activity.table("instructions", ["program", "stage", "class", "block"])
        blocks: dict[tuple[int, str, int], Array] = {}
        for row in instructions.to_pylist():
            key = row["program"], row["stage"], row["block"]
            blocks.setdefault(key, np.zeros(len(CLASSES), np.int64))[CLASSES.index(row["class"])] += 1
        self._of: dict[tuple[int, str, int], Array] = {}
        for row in activity.table("paths").to_pylist():
            program, stage = row["program"], row["stage"]
            try:
                done = sum(r["repetitions"] * blocks[program, stage, r["first_pc"]] for r in row["runs"] or ())
            except KeyError:
                raise ActivityError(f"paths: path {row['path']} of program {program} leaves the code") from None
            self._of[program, stage, row["path"]] = np.zeros(len(CLASSES), np.int64) + done

    def total(self, stage: str, program: Array, path: Array) -> Array:
        """Instructions per class over invocations with these programs and paths."""
        pairs, times = np.unique(np.stack([program, path], axis=1), axis=0, return_counts=True)
        total = np.zeros(len(CLASSES), np.int64)
        for (p, number), count in zip(pairs.tolist(), times.tolist(), strict=True):
            if (p, stage, number) not in self._of:
                raise ActivityError(f"paths: there is no path {number} of the {stage} shader of program {p}")
            total += count * self._of[p, stage, number]
        return total


def _count(loader: Loader, frame: int, lengths: _Lengths) -> dict[str, int]:
    activity = loader.source
    draws = activity.frame("draws", frame, ["draw", "program", "early_depth", "bindings"]).to_pylist()
    counts = dict.fromkeys(COUNTS, 0) | {"frames": 1, "draws": len(draws)}
    numbers_of_draws = np.array([d["draw"] for d in draws], np.int64)
    program = np.array([d["program"] for d in draws], np.int64)
    primitives = activity.frame("primitives", frame, ["draw", "instance", "source", "vertex_0", "culled"])
    draw = np.searchsorted(numbers_of_draws, numbers(primitives, "draw"))
    counts |= _vertices(activity.frame("vertices", frame, ["draw", "path"]), numbers_of_draws, program, lengths)
    counts |= _primitives(primitives, activity.frame("vertices", frame, ["outputs"]))
    counts |= _fragments(activity, frame, draw, program, draws, lengths)
    counts |= _tiles(loader, frame)
    return counts


def _vertices(vertices: pa.Table, draw_numbers: Array, program: Array, lengths: _Lengths) -> dict[str, int]:
    path = numbers(vertices, "path")
    shaded = path >= 0
    draw = np.searchsorted(draw_numbers, numbers(vertices, "draw")[shaded])
    total = lengths.total("vertex", program[draw], path[shaded])
    return {"vertices": int(shaded.sum()), "vertex_instructions": int(total.sum())}


def _primitives(primitives: pa.Table, vertices: pa.Table) -> dict[str, int]:
    assembled = np.stack([numbers(primitives, n).astype(np.int64) for n in ("draw", "instance", "source")], axis=1)
    # Clipping cuts one into several in a row.
    first = np.ones(len(assembled), bool)
    first[1:] = (assembled[1:] != assembled[:-1]).any(axis=1)
    kept = pc.equal(primitives["culled"], "none").to_numpy(zero_copy_only=False)
    slots = pc.fill_null(pc.list_value_length(vertices["outputs"]), 0).to_numpy() // 4
    attributes = 1 + slots[numbers(primitives, "vertex_0")[kept]]
    return {
        "primitives": int(first.sum()),
        "primitives_kept": int(kept.sum()),
        "attributes": int(attributes.sum()),
    }


def _fragments(
    activity: Activity, frame: int, draw: Array, program: Array, draws: list[dict[str, Any]], lengths: _Lengths
) -> dict[str, int]:
    names = ["primitive", "coverage", "depth_pass", *(f"path_{i}" for i in range(4))]
    quads = activity.frame("quads", frame, names)
    of = draw[numbers(quads, "primitive")]
    early = np.array([d["early_depth"] for d in draws], bool)[of] if len(of) else np.zeros(0, bool)
    coverage = numbers(quads, "coverage")
    alive = np.where(early, numbers(quads, "depth_pass"), coverage)
    shaded, total = 0, np.zeros(len(CLASSES), np.int64)
    for lane in range(4):
        runs = _lane(alive, lane)
        shaded += int(runs.sum())
        total += lengths.total("fragment", program[of[runs]], numbers(quads, f"path_{lane}", -1)[runs])
    return {
        "fragments": sum(int(_lane(coverage, lane).sum()) for lane in range(4)),
        "fragments_shaded": shaded,
        "fragment_instructions": int(total.sum()),
        "alu": int(total[CLASSES.index("alu")] + total[CLASSES.index("sfu")]),
        "tex": int(total[CLASSES.index("tex")]),
        "texels": _texels(activity, frame, of, draws),
    }


def _lane(samples: Array, lane: int) -> Array:
    """Whether any sample of a lane is set."""
    return np.asarray((samples & (0x1111 << lane)) != 0)


def _texels(activity: Activity, frame: int, draw_of_quad: Array, draws: list[dict[str, Any]]) -> int:
    reads = activity.frame("texture_reads", frame, ["quad", "sampler", "linear", "lanes"])
    if not len(reads):
        return 0
    kind = activity.table("surfaces", ["surface", "kind"]).to_pylist()
    volumes = {row["surface"] for row in kind if row["kind"] == "texture_3d"}
    volume = np.zeros((len(draws), 256), bool)
    for row, d in enumerate(draws):
        for binding in d["bindings"] or ():
            if binding["stage"] == "fragment" and binding["surface"] in volumes:
                volume[row, binding["sampler"]] = True
    linear = numbers(reads, "linear") != 0
    each = np.where(linear, 4, 1)
    each[linear & volume[draw_of_quad[numbers(reads, "quad")], numbers(reads, "sampler")]] = 8
    lanes = numbers(reads, "lanes")
    return int((each * sum((lanes >> i & 1).astype(np.int64) for i in range(4))).sum())


def _tiles(loader: Loader, frame: int) -> dict[str, int]:
    tiling = loader.load(frame).tiling
    drawn = tiling.primitive["clear"][tiling.entry["primitive"]] < 0
    return {"binned": int(drawn.sum()), "tiles": len(tiling.tile), "pixels": _pixels(loader.source, frame)}


def _pixels(activity: Activity, frame: int) -> int:
    """Pixels of the images drawn to, each once."""
    drawn = set(activity.frame("draws", frame, ["pass"])["pass"].to_pylist())
    images: dict[Any, int] = {}
    for row in activity.frame("passes", frame, ["pass", "width", "height", "attachments"]).to_pylist():
        if row["pass"] in drawn:
            first = next((a for a in row["attachments"] or ()), None)
            key = (first["surface"], first["level"], first["layer"]) if first else row["pass"]
            images[key] = max(images.get(key, 0), row["width"] * row["height"])
    return sum(images.values())
