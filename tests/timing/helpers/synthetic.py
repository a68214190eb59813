"""Synthetic frames as the machine reads them: random rectangles of quads at random constant depths."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.timing.engine import frame as f

LESS, ALWAYS = 1, 7
PARAMETER_BUFFER, LISTS, TEXTURES, CODE, COLORS, VERTICES = (i << 28 for i in range(1, 7))


def rows(dtype: np.dtype[Any], n: int, **columns: Any) -> np.ndarray[Any, Any]:
    """Table with the given columns, zero elsewhere."""
    table = np.zeros(n, dtype)
    for name, column in columns.items():
        table[name] = column
    return table


def synthetic(
    tiles_x: int = 2,
    tiles_y: int = 1,
    primitives: int = 20,
    instructions: int = 20,
    texture_operations: int = 2,
    seed: int = 1,
    late_share: float = 0.0,
    discard_share: float = 0.0,
    largest: int = 16,
    spread: int = 512,
    tile: int = 32,
) -> f.Frame:
    """Frame of one pass; `primitives` per tile on average, each within one tile."""
    rng = np.random.default_rng(seed)
    tiles, side = tiles_x * tiles_y, tile // 2
    n = tiles * primitives
    owner = rng.integers(0, tiles, n)
    largest = min(largest, side)
    w, h = rng.integers(1, largest + 1, n), rng.integers(1, largest + 1, n)
    x0, y0 = (rng.random(n) * (side + 1 - w)).astype(int), (rng.random(n) * (side + 1 - h)).astype(int)
    z = rng.random(n)
    attributes = rng.integers(1, 6, n)
    late = rng.random(n) < late_share
    state = rows(f.DrawState.dtype, 2, late=[0, 1], depth_test=1, depth_function=LESS, depth_write=1, depth_format=1)
    tile_table = rows(f.Tile.dtype, tiles, x=np.arange(tiles) % tiles_x * tile, y=np.arange(tiles) // tiles_x * tile)
    order = np.lexsort((np.arange(n), owner))
    counts = np.bincount(owner, minlength=tiles)
    tile_table["last_entry"] = np.cumsum(counts)
    tile_table["first_entry"] = tile_table["last_entry"] - counts
    quads, entry = [], rows(f.ListEntry.dtype, n, primitive=order)
    stop = 0
    for t in range(tiles):
        buffer = np.ones((side, side, 4))
        for e in range(tile_table["first_entry"][t], tile_table["last_entry"][t]):
            p = order[e]
            box = (slice(y0[p], y0[p] + h[p]), slice(x0[p], x0[p] + w[p]))
            covered = rng.random((h[p], w[p], 4)) < 0.9
            covered[..., 0] = True
            discarded = (rng.random((h[p], w[p], 4)) < discard_share) & covered & late[p]
            passed = covered & ~discarded & (z[p] < buffer[box])
            buffer[box] = np.where(passed, z[p], buffer[box])
            y, x = np.mgrid[box]
            bits = np.array([1, 2, 4, 8])
            q = rows(
                f.Quad.dtype,
                w[p] * h[p],
                primitive=p,
                x=(x + tile_table["x"][t] // 2).ravel(),
                y=(y + tile_table["y"][t] // 2).ravel(),
                coverage=(covered @ bits).ravel(),
                depth_pass=(passed @ bits).ravel(),
                discarded=(discarded @ bits).ravel(),
                shader_depth=-1,
            )
            quads.append(q)
            entry[e]["first_quad"], entry[e]["last_quad"] = stop, stop + len(q)
            stop += len(q)
    entry["pointer"] = LISTS + owner[order] * 5056 + 4 * (np.arange(n) - tile_table["first_entry"][owner[order]])
    quad = np.concatenate(quads)
    quad["operation"] = np.arange(len(quad)) * texture_operations
    record = np.cumsum(attributes * 48) - attributes * 48
    primitive = rows(
        f.Primitive.dtype,
        n,
        state=late,
        clear=-1,
        stream_end=3 * np.arange(1, n + 1),
        attributes=attributes,
        record=PARAMETER_BUFFER + record,
        record_bytes=attributes * 48,
        depth=z,
        front_facing=1,
    )
    bins = rows(f.Bin.dtype, n)
    bins["entry"][order] = np.arange(n)
    primitive["first_bin"], primitive["last_bin"] = np.arange(n), np.arange(1, n + 1)
    operation, line = texels(rng, quad, texture_operations, spread)
    kinds = np.zeros(instructions + 4, int)
    kinds[3:instructions:7] = f.SFU
    for o in range(texture_operations):
        kinds[2 + o * (instructions // (texture_operations + 1))] = f.TEX
    instruction = rows(
        f.Instruction.dtype,
        len(kinds),
        address=CODE + 16 * np.arange(len(kinds)),
        kind=kinds,
        cycles=1,
        destination=1 + np.arange(len(kinds)) % 8,
        source_0=1 + (np.arange(len(kinds)) + 5) % 8,
    )
    path = rows(f.ShaderPath.dtype, 2, first=[0, instructions], last=[instructions, instructions + 4])
    render_pass = rows(
        f.RenderPass.dtype,
        1,
        width=tiles_x * tile,
        height=tiles_y * tile,
        samples=1,
        last_batch=1,
        last_primitive=n,
        last_tile=tiles,
        last_target=1,
        clear_depth=(1 << 24) - 1,
        load_depth=-1,
        store_depth=-1,
        load_stencil=-1,
        store_stencil=-1,
    )
    return f.Tables(
        render_pass=render_pass,
        target=rows(
            f.Target.dtype, 1, address=COLORS, pitch_bytes=tiles_x * tile * 4, pixel_bytes=4, source=7, store=1
        ),
        tile=tile_table,
        batch=rows(
            f.Batch.dtype, 1, last_stream=3 * n, last_attribute=2, command_address=VERTICES - 4096, command_bytes=128
        ),
        attribute=rows(f.Attribute.dtype, 2, address=[VERTICES, VERTICES + 12], stride_bytes=24, size_bytes=12),
        stream=rows(f.StreamVertex.dtype, 3 * n, index=np.arange(3 * n) // 2, vertex=np.arange(3 * n) // 2, path=1),
        primitive=primitive,
        bin=bins,
        entry=entry,
        state=state,
        clear=rows(f.Clear.dtype, 0),
        quad=quad,
        shader_depth=np.zeros(0, np.float32),
        saved=np.zeros(0, np.int64),
        path=path,
        sequence=np.arange(len(kinds), dtype=np.int32),
        instruction=instruction,
        operation=operation,
        line=line,
    ).frame()


def texels(
    rng: np.random.Generator, quad: np.ndarray[Any, Any], operations: int, spread: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Lines of 4x4 texels under each quad: one, two or four per operation."""
    n = len(quad) * operations
    q = np.repeat(np.arange(len(quad)), operations)
    offset = rng.integers(0, spread, (quad["primitive"].max() + 1, operations, 2))[quad["primitive"]].reshape(-1, 2)
    u, v = quad["x"][q] * 2 + offset[:, 0], quad["y"][q] * 2 + offset[:, 1]
    nx, ny = (u + 2) // 4 - u // 4 + 1, (v + 2) // 4 - v // 4 + 1
    count = nx * ny
    operation = rows(f.TextureOperation.dtype, n, first_line=np.cumsum(count) - count, lines=count, probes=1)
    row = np.repeat(np.arange(n), count)
    k = np.arange(len(row)) - operation["first_line"][row]
    line = (u // 4)[row] + k % nx[row] + ((v // 4)[row] + k // nx[row]) * 1024
    return operation, (TEXTURES + 64 * line).astype(np.int64)
