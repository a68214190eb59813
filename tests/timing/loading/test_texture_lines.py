"""The cache lines of texture reads, beside a plain reading of where each texel lies."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tilegpu.functional.activity.kernels.wrapping import CLAMP_TO_EDGE, MIRRORED_REPEAT, REPEAT, wrapped
from tilegpu.timing import load_configuration
from tilegpu.timing.engine import frame as f
from tilegpu.timing.loading.resources import Resources, place_resources
from tilegpu.timing.loading.textures.grids import BINDING, make_textures
from tilegpu.timing.loading.textures.operations import COLUMNS
from tilegpu.timing.loading.textures.read_lines import Reads
from tilegpu.timing.loading.textures.texture_lines import Executed, texture_lines

SURFACES = [
    # Kind, texels of the first level, levels, layers, texels and bytes of a block.
    ("texture_2d", (64, 32, 1), 7, 1, (1, 1, 4)),
    ("texture_2d", (23, 57, 1), 6, 1, (1, 1, 3)),
    ("texture_2d", (40, 48, 1), 1, 1, (1, 1, 16)),
    ("texture_2d", (61, 33, 1), 6, 1, (4, 4, 8)),
    ("texture_2d", (64, 64, 1), 3, 1, (5, 6, 16)),
    ("texture_2d_array", (32, 16, 1), 2, 5, (1, 1, 2)),
    ("texture_3d", (20, 16, 9), 3, 1, (1, 1, 4)),
    ("texture_cube", (16, 16, 1), 5, 6, (1, 1, 4)),
    ("texture_cube", (32, 32, 1), 1, 6, (4, 4, 16)),
]


def surfaces(found: list[Any] = SURFACES) -> pa.Table:
    """Table of surfaces as an activity has it."""
    rows = []
    for number, (kind, size, levels, layers, (width, height, block_bytes)) in enumerate(found):
        sizes = [
            dict(zip(("width", "height", "depth"), (max(1, s >> i) for s in size), strict=True)) for i in range(levels)
        ]
        rows.append(
            dict(surface=number, kind=kind, levels=sizes, layers=layers, samples=1)
            | dict(block_width=width, block_height=height, block_bytes=block_bytes)
        )
    return pa.Table.from_pylist(rows)


def place(configuration: Any, found: list[Any] = SURFACES) -> Resources:
    buffers = pa.table({"buffer": pa.array([], pa.int32()), "size_bytes": pa.array([], pa.int64())})
    return place_resources(surfaces(found), buffers, configuration)


def bindings(resources: Resources, wraps: list[tuple[int, int, int]]) -> Any:
    """A draw for each way of wrapping, a sampler for each surface."""
    table = np.zeros((len(wraps), len(resources.surface)), BINDING)
    for (d, wrapping), s in itertools.product(enumerate(wraps), range(len(resources.surface))):
        surface = resources.surface[s]
        table[d, s] = (surface["first_level"], surface["levels"], *wrapping)
    return table


def lines_of(rows: list[dict[str, int]], draws: list[int], ends: list[int], textures: Any) -> list[list[int]]:
    """Lines of operations; operation i reads the rows up to `ends[i]`."""
    n = len(ends)
    reads = Reads(*(np.array([row.get(name, 0) for row in rows], COLUMNS[i]) for i, name in enumerate(Reads._fields)))
    operation = np.zeros(n, f.TextureOperation.dtype)
    executed = Executed(
        path=np.zeros(n, np.int64),
        operation=np.arange(n),
        draw=np.array(draws),
        order=np.arange(n),
        first_read=np.array([0, *ends]),
        first_texture=np.array([0]),
        last_texture=np.array([1]),
        pcs=np.zeros(1, np.int64),
    )
    line = texture_lines(executed, reads, textures, operation)
    assert operation["probes"].tolist() == np.diff([0, *ends]).tolist()
    return [line[o["first_line"] : o["first_line"] + o["lines"]].tolist() for o in operation]


def plain_wrap(x: int, size: int, mode: int) -> int:
    """Walks from the edge to the texel, step by step."""
    if mode == CLAMP_TO_EDGE:
        return sorted((0, x, size - 1))[1]
    texels = list(range(size)) + (list(range(size))[::-1] if mode == MIRRORED_REPEAT else [])
    return texels[x % len(texels)]


def beyond_edge(face: int, x: int, y: int, size: int) -> tuple[int, int, int] | None:
    """Face, column and row of a texel of a cube map; found by the place in space at which it lies (table 3.19)."""
    axes = {0: (2, 1, -1, -1), 1: (2, 1, 1, -1), 2: (0, 2, 1, 1), 3: (0, 2, 1, -1), 4: (0, 1, 1, -1), 5: (0, 1, -1, -1)}
    if 0 <= x < size and 0 <= y < size:
        return face, x, y
    if not 0 <= x < size and not 0 <= y < size:
        return None

    def centre(of: int, column: int, row: int) -> tuple[int, ...]:
        s_axis, t_axis, s_sign, t_sign = axes[of]
        place = [0, 0, 0]
        place[of // 2] = size if of % 2 == 0 else -size
        place[s_axis], place[t_axis] = s_sign * (2 * column + 1 - size), t_sign * (2 * row + 1 - size)
        return tuple(place)

    # The texel folds by a right angle about the edge: its own plane's coordinate loses the half texel, too.
    folded = list(centre(face, x, y))
    folded[face // 2] = (size - 1) * (1 if face % 2 == 0 else -1)
    folded = [sorted((-size, p, size))[1] for p in folded]
    (found,) = (
        (to, column, row)
        for to in range(6)
        for column in range(size)
        for row in range(size)
        if centre(to, column, row) == tuple(folded)
    )
    return found


def block_place(layout: str, x: int, y: int, width: int, stored: int, line_bytes: int, tile_bytes: int) -> int:
    """Offset of a block: row by row, along the Z curve, or tile by tile."""
    if layout == "linear":
        return y * -(-width * stored // line_bytes) * line_bytes + x * stored
    if layout == "morton":
        return stored * int("".join(b + a for a, b in zip(f"{x:016b}", f"{y:016b}", strict=True)), 2)
    blocks = max(1, tile_bytes // stored)
    down = max(d for d in (1, 2, 4, 8, 16, 32) if d * d <= blocks)
    across = blocks // down
    tile = y // down * -(-width // across) + x // across
    return stored * (tile * blocks + y % down * across + x % across)


def plain_lines(row: dict[str, int], wraps: tuple[int, int, int], resources: Resources, memory: Any) -> list[int]:
    """Lines of a read in the order of its texels: lane by lane, slice by slice, row by row."""
    kind, _, levels, layers, (block_width, block_height, block_bytes) = SURFACES[row["sampler"]]
    stored = next(1 << b for b in range(7) if 1 << b >= block_bytes)
    level = resources.level_of(row["sampler"], min(row["level"], levels - 1))
    width, height, depth = int(level["width"]), int(level["height"]), int(level["depth"])
    found = []
    lanes = [lane for lane in range(4) if (row["lanes"] | row["lanes"] >> 4) >> lane & 1]
    span = 1 + row["linear"]
    for lane, s, v, u in itertools.product(lanes, range(span if kind == "texture_3d" else 1), range(span), range(span)):
        x = row["x"] + u + (row[f"dx_{lane}"] if lane else 0)
        y = row["y"] + v + (row[f"dy_{lane}"] if lane else 0)
        layer = plain_wrap(row["layer"] + s, depth, wraps[2]) if kind == "texture_3d" else min(row["layer"], layers - 1)
        if kind == "texture_cube":
            texel = beyond_edge(layer, x, y, width)
            if texel is None:
                continue
            layer, x, y = texel
        x, y = plain_wrap(x, width, wraps[0]), plain_wrap(y, height, wraps[1])
        offset = block_place(
            memory.texture_layout,
            x // block_width,
            y // block_height,
            -(-width // block_width),
            stored,
            memory.line_bytes,
            memory.tile_bytes,
        )
        found.append((int(level["address"]) + layer * int(level["layer_bytes"]) + offset) // memory.line_bytes)
    return [memory.line_bytes * line for line in dict.fromkeys(found)]


def random_read(random: Any, probe: int, sampler: int, linear: int) -> dict[str, int]:
    kind, (width, height, depth), levels, layers, _ = SURFACES[sampler]
    level = int(random.integers(levels + 1))
    size = [max(1, side >> min(level, levels - 1)) for side in (width, height)]
    cube = kind == "texture_cube"
    near = int(random.choice([0, 1, 3]))
    lanes = {}
    # Texels of a cube's face may lie one beyond its edge, those of others anywhere.
    low, high = ((-1, -1), tuple(side - linear for side in size)) if cube else ((-90, -90), (130, 130))
    if not cube and random.integers(2):
        low, high = (0, 0), tuple(max(0, side - 2) for side in size)
    base = [int(random.integers(l, h + 1)) for l, h in zip(low, high, strict=True)]
    for lane in (1, 2, 3):
        for axis, name in enumerate(("dx", "dy")):
            to = int(random.integers(max(low[axis], base[axis] - near), min(high[axis], base[axis] + near) + 1))
            lanes[f"{name}_{lane}"] = to - base[axis]
    return lanes | {
        "probe": probe,
        "sampler": sampler,
        "linear": linear,
        "level": level,
        "layer": int(random.integers(max(layers, depth + 2))),
        "lanes": int(random.choice([15, 15, 0x5A, 1, 0x70, 8])),
        "x": base[0],
        "y": base[1],
    }


@pytest.mark.parametrize(
    ("layout", "line_bytes", "tile_bytes"),
    [
        ("linear", 64, 64),
        ("linear", 32, 32),
        ("morton", 64, 64),
        ("tiled", 64, 64),
        ("tiled", 64, 256),
        ("tiled", 128, 4096),
    ],
)
def test_lines_are_those_of_each_texel(layout: str, line_bytes: int, tile_bytes: int) -> None:
    configuration = load_configuration(
        "ptr-2022", [f"texture_layout={layout}", f"line_bytes={line_bytes}", f"texture_tile_bytes={tile_bytes}"]
    )
    resources, random = place(configuration), np.random.default_rng(7)
    wraps = [tuple(w) for w in itertools.permutations((REPEAT, CLAMP_TO_EDGE, MIRRORED_REPEAT))]
    textures = make_textures(bindings(resources, wraps), resources, configuration)
    rows, draws, ends, expected = [], [], [], []
    for _ in range(700):
        sampler, linear, draw = (int(random.integers(n)) for n in (len(SURFACES), 2, len(wraps)))
        own = [random_read(random, p, sampler, linear) for p in range(int(random.choice([1, 1, 2, 9])))]
        rows += own
        draws.append(draw)
        ends.append(len(rows))
        lines = [line for row in own for line in plain_lines(row, wraps[draw], resources, configuration.memory)]
        expected.append(list(dict.fromkeys(lines)))
    assert lines_of(rows, draws, ends, textures) == expected


@pytest.mark.parametrize(
    ("x", "y", "faces"),
    [
        # Faces +x, -x, +y, -y, +z, -z are 0 to 5. Table 3.19 of OpenGL ES 3.0: on +x, s runs along -z and t along -y.
        (1, 1, {0}),
        (-1, 1, {0, 4}),
        (3, 1, {0, 5}),
        (1, -1, {0, 2}),
        (1, 3, {0, 3}),
        # Beyond a corner there is no texel: three faces meet.
        (-1, -1, {0, 2, 4}),
    ],
)
@pytest.mark.parametrize("wrapping", (REPEAT, CLAMP_TO_EDGE))
def test_cube_maps_are_read_across_the_edges_of_their_faces(x: int, y: int, faces: set[int], wrapping: int) -> None:
    # Six faces of 4 x 4 texels of RGBA8, a line each; one lane reads 2 x 2 texels from (x, y) of face +x on.
    configuration = load_configuration("ptr-2022", ["texture_layout=tiled", "line_bytes=64", "texture_tile_bytes=64"])
    resources = place(configuration, [("texture_cube", (4, 4, 1), 1, 6, (1, 1, 4))])
    textures = make_textures(bindings(resources, [(wrapping,) * 3]), resources, configuration)
    (lines,) = lines_of([{"linear": 1, "lanes": 1, "x": x, "y": y}], [0], [1], textures)
    first = int(resources.level[0]["address"])
    assert {(line - first) // int(resources.level[0]["layer_bytes"]) for line in lines} == faces
    assert len(lines) == len(faces)


def test_all_lines_of_a_long_operation_are_found_once() -> None:
    # 40 probes along a row of 16-byte texels, 4 to a line, there and back.
    configuration = load_configuration("ptr-2022", ["texture_layout=linear", "line_bytes=64"])
    resources = place(configuration, [("texture_2d", (512, 4, 1), 1, 1, (1, 1, 16))])
    textures = make_textures(bindings(resources, [(CLAMP_TO_EDGE,) * 3]), resources, configuration)
    along = [4 * i for i in range(100)] + [4 * i for i in range(100)]
    rows = [{"probe": p, "lanes": 1, "x": x} for p, x in enumerate(along)]
    (lines,) = lines_of(rows, [0], [len(rows)], textures)
    first = int(resources.level[0]["address"])
    assert lines == [first + 64 * i for i in range(100)]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (REPEAT, [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]),
        (CLAMP_TO_EDGE, [0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]),
        (MIRRORED_REPEAT, [1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0]),
    ],
)
def test_wrapping(mode: int, expected: list[int]) -> None:
    assert [wrapped(x, 4, mode) for x in range(-2, 9)] == expected
