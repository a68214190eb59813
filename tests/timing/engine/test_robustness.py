"""What goes wrong is told: a machine that stands still says who waits for what; a damaged activity is one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from activity_builder import Clear, Rectangle, Scene
from synthetic import synthetic

from tilegpu.functional.activity import ActivityError
from tilegpu.timing import SimulationError, load_configuration, replay
from tilegpu.timing.assembly.dump import waiting_units
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.replay import run_frame

SEEDS = range(40)


def stuck_frame() -> Any:
    """A frame whose last primitive waits for a vertex that never comes."""
    frame = synthetic(tiles_x=1, primitives=5, largest=2)
    frame.binning.primitive["stream_end"][-1] += 1
    return frame


@pytest.mark.parametrize("dram", ("simple", "lpddr4-2400-dual"))
def test_a_machine_that_stands_still_says_who_waits_for_what(machine: Any, dram: str) -> None:
    # Without refreshes nothing happens any more; with them something always does, and the watchdog notices.
    gpu = machine(f"dram={dram}")
    with pytest.raises(SimulationError) as error:
        run_frame(gpu.engine, gpu.chip, stuck_frame(), 20_000)
    lines = str(error.value).splitlines()
    assert lines[0].startswith("the machine stands still in cycle ")
    assert lines[1].startswith("command processor: waits for the geometry: pass 0, batch 1")
    assert any(line.startswith("polygon list builder: has nothing to do; 0 of 32 primitives queued") for line in lines)
    assert any(line.startswith("fragment processor 0.3: 0 of 128 quads queued, 0 of 8 warps") for line in lines)
    assert gpu.gpu.cycle < 100_000


def test_a_dump_names_what_is_full(machine: Any) -> None:
    gpu = machine("fragment_stage.queue=1", "rasterizer.queue=4", "fragment_stage.warps=1")
    frame = synthetic(tiles_x=1, primitives=20, largest=16, instructions=60)
    begin_frame(gpu.chip)
    while not gpu.engine.run(gpu.gpu, frame, False, 200):
        text = "\n".join(waiting_units(gpu.chip))
        if "rasterizer 0: cannot hand on what it has" in text:
            assert "4 of 4 quads queued" in text
            assert "1 of 1 quads queued, 1 of 1 warps" in text
            return
    raise AssertionError("the queues never filled up")


def test_a_slow_machine_is_no_standing_one(machine: Any) -> None:
    gpu = machine("dram.row_hit_latency=900", "dram.row_miss_latency=900", "l2_cache.size_bytes=8192")
    run_frame(gpu.engine, gpu.chip, synthetic(tiles_x=1, primitives=4, largest=4), 1000)
    assert gpu.gpu.command_processor.frames == 1


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items = [Rectangle(0, 0, 64, 64, 0.5), Clear(0.9), Rectangle(10, 10, 40, 30, 0.7), Rectangle(5, 5, 20, 20, 0.2)]
    frames = [items, [*items, Rectangle(3, 3, 30, 30, 0.1, discards=5)]]
    return Scene(frames=frames).write(tmp_path_factory.mktemp("scene") / "activity")


def outcome(folder: Path) -> str:
    """ "ran", or the one line that says why not."""
    try:
        replay(folder, load_configuration("ptr-2022", ["dram=simple", "watchdog_cycles=50000"]), compiled=True)
    except ActivityError as error:
        assert str(error) and "\n" not in str(error)
        return str(error)
    except SimulationError:
        return "stands still"
    return "ran"


NUMBERS = (-(1 << 31), -1, 0, 1, 3, 255, 70_000, (1 << 31) - 1)


def damaged(column: Any, rng: np.random.Generator) -> Any:
    """Some other values of the same type."""
    values = column.to_pylist()
    for _ in range(1 + int(rng.integers(3))):
        i = int(rng.integers(len(values)))
        if pa.types.is_integer(column.type):
            low = 0 if str(column.type).startswith("u") else -(1 << (column.type.bit_width - 1))
            high = (1 << column.type.bit_width) - 1 + (low if low else 0)
            values[i] = min(max(int(rng.choice(NUMBERS)), low), high)
        elif pa.types.is_floating(column.type):
            values[i] = float(rng.choice([np.nan, np.inf, -1e30, 0.0, 1e9]))
        elif pa.types.is_boolean(column.type):
            values[i] = not values[i]
        elif pa.types.is_string(column.type):
            values[i] = str(rng.choice(["", "NONSENSE", "GREATER", "TRIANGLE_FAN"]))
        elif values[i] is not None and isinstance(values[i], list) and values[i]:
            values[i] = values[i][: int(rng.integers(len(values[i])))]
        else:
            values[i] = None
    return pa.array(values, column.type)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_table_is_one_clear_line_or_harmless(activity: Path, tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    folder = tmp_path / "activity"
    shutil.copytree(activity, folder)
    names = sorted(p.stem for p in folder.glob("*.parquet") if pq.ParquetFile(p).metadata.num_rows)
    path = folder / f"{rng.choice(names)}.parquet"
    file = pq.ParquetFile(path)
    groups = [file.read_row_group(i) for i in range(file.num_row_groups)]
    schema = file.schema_arrow
    column = int(rng.integers(len(schema)))
    with pq.ParquetWriter(path, schema) as writer:
        for group in groups:
            if len(group):
                changed = damaged(group[schema[column].name].combine_chunks(), rng)
                group = group.set_column(column, schema.field(column), changed)
            writer.write_table(group)
    assert outcome(folder)


@pytest.mark.parametrize("where", (0.2, 0.5, 0.95))
@pytest.mark.parametrize("name", ("quads", "vertices", "draws"))
def test_bytes_gone_bad_are_one_clear_line_or_harmless(activity: Path, tmp_path: Path, name: str, where: float) -> None:
    folder = tmp_path / "activity"
    shutil.copytree(activity, folder)
    path = folder / f"{name}.parquet"
    content = bytearray(path.read_bytes())
    first = int(len(content) * where)
    content[first : first + 40] = bytes(range(40))
    path.write_bytes(bytes(content))
    assert outcome(folder)


def test_what_is_no_activity_is_told(activity: Path, tmp_path: Path) -> None:
    with pytest.raises(ActivityError, match="is this a folder written by"):
        replay(tmp_path, load_configuration())
    (tmp_path / "manifest.json").write_text(json.dumps({"format": "something else"}), "utf-8")
    with pytest.raises(ActivityError, match="not the manifest of an activity"):
        replay(tmp_path, load_configuration())
    shutil.copytree(activity, tmp_path / "copy")
    (tmp_path / "copy" / "quads.parquet").write_bytes(b"PAR1 no PAR1")
    with pytest.raises(ActivityError, match=r"quads\.parquet: not a readable Parquet file"):
        replay(tmp_path / "copy", load_configuration())
