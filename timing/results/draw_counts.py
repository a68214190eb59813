"""Totals of each draw of a frame: vertices, primitives, fragments, instructions, texels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.reader import Activity

from ..loading.source import ActivityError, numbers

Array = np.ndarray[Any, Any]
CLASSES = ("alu", "sfu", "tex", "mem", "flow")


class Lengths:
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

    def of_draws(self, stage: str, programs: Array, draw: Array, path: Array) -> Array:
        """Instructions per draw and class, (draws, classes).

        Parameters
        ----------
        stage
            vertex or fragment.
        programs
            Program of each draw.
        draw, path
            Row of the draw, and path, of each invocation.
        """
        total = np.zeros((len(programs), len(CLASSES)), np.int64)
        most = int(path.max()) + 1 if len(path) else 1
        if len(path) and path.min() < 0:
            raise ActivityError(f"paths: there is no path {int(path.min())} of the {stage} shader")
        times = np.bincount(draw * most + path, minlength=len(programs) * most)
        for at in np.flatnonzero(times).tolist():
            row, number = divmod(at, most)
            key = int(programs[row]), stage, number
            if key not in self._of:
                raise ActivityError(f"paths: there is no path {number} of the {stage} shader of program {key[0]}")
            total[row] += times[at] * self._of[key]
        return total


def draw_counts(activity: Activity, frame: int, lengths: Lengths) -> dict[str, Array]:
    """Counts of each draw of a frame, in drawing order.

    Parameters
    ----------
    activity
        Of level `visible` or `all`.
    frame
        Number of the frame.
    lengths
        Of the activity.

    Returns
    -------
    dict
        By name, int64 (draws,): vertices, vertex_instructions, primitives (assembled), primitives_clipped (after
        clipping, before culling), primitives_face_culled, primitives_kept, attributes (of those kept), fragments
        (before early depth), fragment_attributes, fragments_shaded, fragment_instructions, alu, tex, texels.

    Raises
    ------
    ActivityError
        If tables contradict each other.
    """
    draws = activity.frame("draws", frame, ["draw", "program", "early_depth", "bindings"]).to_pylist()
    order = np.array([d["draw"] for d in draws], np.int64)
    program = np.array([d["program"] for d in draws], np.int64)
    primitives = activity.frame("primitives", frame, ["draw", "instance", "source", "vertex_0", "culled"])
    vertices = activity.frame("vertices", frame, ["draw", "path", "outputs"])
    draw = np.searchsorted(order, numbers(primitives, "draw"))
    slots = 1 + pc.fill_null(pc.list_value_length(vertices["outputs"]), 0).to_numpy().astype(np.int64) // 4
    attributes = slots[numbers(primitives, "vertex_0")] if len(primitives) else np.zeros(0, np.int64)
    return {
        **_vertices(vertices, order, program, lengths),
        **_primitives(primitives, draw, attributes, len(draws)),
        **_fragments(activity, frame, draw, attributes, draws, lengths),
    }


def _vertices(vertices: pa.Table, order: Array, program: Array, lengths: Lengths) -> dict[str, Array]:
    path = numbers(vertices, "path").astype(np.int64)
    shaded = path >= 0
    draw = np.searchsorted(order, numbers(vertices, "draw")[shaded])
    total = lengths.of_draws("vertex", program, draw, path[shaded])
    return {"vertices": np.bincount(draw, minlength=len(order)), "vertex_instructions": total.sum(axis=1)}


def _primitives(primitives: pa.Table, draw: Array, attributes: Array, draws: int) -> dict[str, Array]:
    assembled = np.stack([numbers(primitives, n).astype(np.int64) for n in ("draw", "instance", "source")], axis=1)
    # Clipping cuts one into several in a row.
    first = np.ones(len(assembled), bool)
    first[1:] = (assembled[1:] != assembled[:-1]).any(axis=1)
    culled = primitives["culled"].combine_chunks()

    def chosen(kind: str) -> Array:
        return np.asarray(pc.equal(culled, kind).to_numpy(zero_copy_only=False))

    unculled = chosen("none")
    return {
        "primitives": np.bincount(draw[first], minlength=draws),
        "primitives_clipped": np.bincount(draw[~chosen("frustum")], minlength=draws),
        "primitives_face_culled": np.bincount(draw[chosen("face")], minlength=draws),
        "primitives_kept": np.bincount(draw[unculled], minlength=draws),
        "attributes": _sums(draw[unculled], attributes[unculled], draws),
    }


def _fragments(
    activity: Activity, frame: int, draw: Array, attributes: Array, draws: list[dict[str, Any]], lengths: Lengths
) -> dict[str, Array]:
    names = ["primitive", "coverage", "depth_pass", *(f"path_{i}" for i in range(4))]
    quads = activity.frame("quads", frame, names)
    primitive = numbers(quads, "primitive")
    of = draw[primitive]
    early = np.array([d["early_depth"] for d in draws], bool)[of] if len(of) else np.zeros(0, bool)
    coverage = numbers(quads, "coverage")
    alive = np.where(early, numbers(quads, "depth_pass"), coverage)
    program = np.array([d["program"] for d in draws], np.int64)
    shaded, total = np.zeros(len(draws), np.int64), np.zeros((len(draws), len(CLASSES)), np.int64)
    for number, runs in enumerate(lanes_of(alive)):
        shaded += np.bincount(of[runs], minlength=len(draws))
        path = numbers(quads, f"path_{number}", -1)[runs].astype(np.int64)
        total += lengths.of_draws("fragment", program, of[runs], path)
    covered = sum((lane.astype(np.int64) for lane in lanes_of(coverage)), np.zeros(len(coverage), np.int64))
    return {
        "fragments": _sums(of, covered, len(draws)),
        "fragment_attributes": _sums(of, covered * attributes[primitive], len(draws)),
        "fragments_shaded": shaded,
        "fragment_instructions": total.sum(axis=1),
        "alu": total[:, CLASSES.index("alu")] + total[:, CLASSES.index("sfu")],
        "tex": total[:, CLASSES.index("tex")],
        "texels": _texels(activity, frame, of, draws),
    }


def draws_of_quads(activity: Activity, frame: int, draws: pa.Table, quads: pa.Table) -> Array:
    """Row of the draw that each quad belongs to; `quads` has the column primitive, `draws` the column draw."""
    of_primitive = numbers(activity.frame("primitives", frame, ["draw"]), "draw")
    return np.asarray(np.searchsorted(numbers(draws, "draw"), of_primitive)[numbers(quads, "primitive")])


def lanes_of(samples: Array) -> Iterator[Array]:
    """For each of the four lanes, whether any sample of it is set."""
    return (np.asarray((samples & (0x1111 << lane)) != 0) for lane in range(4))


def _sums(place: Array, values: Array, length: int) -> Array:
    """Sums of whole numbers by place; exact below 2^53."""
    return np.bincount(place, values, length).astype(np.int64)


def _texels(activity: Activity, frame: int, draw_of_quad: Array, draws: list[dict[str, Any]]) -> Array:
    reads = activity.frame("texture_reads", frame, ["quad", "sampler", "linear", "lanes"])
    if not len(reads):
        return np.zeros(len(draws), np.int64)
    kind = activity.table("surfaces", ["surface", "kind"]).to_pylist()
    volumes = {row["surface"] for row in kind if row["kind"] == "texture_3d"}
    volume = np.zeros((len(draws), 256), bool)
    for row, d in enumerate(draws):
        for binding in d["bindings"] or ():
            if binding["stage"] == "fragment" and binding["surface"] in volumes:
                volume[row, binding["sampler"]] = True
    linear = numbers(reads, "linear") != 0
    draw = draw_of_quad[numbers(reads, "quad")]
    each = np.where(linear, 4, 1)
    each[linear & volume[draw, numbers(reads, "sampler")]] = 8
    lanes = numbers(reads, "lanes")
    return _sums(draw, each * sum((lanes >> i & 1).astype(np.int64) for i in range(4)), len(draws))
