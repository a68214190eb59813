"""Activities as files: the same bytes every time, checked when opened, whole or not there."""

import json
import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tilegpu.functional.activity import TABLES, Activity, ActivityError, ActivityWriter
from tilegpu.functional.capture import Call, CaptureError, Signature, Trace, TraceWriter
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.functional.recording import row_group


def test_the_same_stream_gives_the_same_bytes(scene: Path, tmp_path: Path) -> None:
    for name in "ab":
        record(scene, tmp_path / name)
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


def test_every_column_is_described_in_the_file(visible: Activity) -> None:
    for name, table in TABLES.items():
        schema = pq.read_schema(visible.folder / f"{name}.parquet")
        for column in table.columns:
            assert schema.field(column.name).metadata[b"description"].decode() == column.description


def test_columns_of_optional_groups_are_there_with_the_group_only(visible: Activity, everything: Activity) -> None:
    assert visible.table("vertices")["inputs"].null_count < visible.manifest.rows["vertices"]
    assert everything.manifest.groups == ("colors",)
    assert "colors" in everything.table("quads").column_names
    assert "inputs" not in everything.table("vertices").column_names
    assert "image" not in everything.table("frames").column_names


def test_tables_open_in_pandas_and_duckdb(visible: Activity) -> None:
    quads = pd.read_parquet(visible.folder / "quads.parquet")
    ((count,),) = duckdb.sql(f"select count(*) from '{visible.folder}/quads.parquet'").fetchall()
    assert len(quads) == count == visible.manifest.rows["quads"]


def test_frames_are_numbered_as_in_the_source(scene: Path, tmp_path: Path) -> None:
    record(scene, tmp_path / "a", frames=FrameRange(1, 2))
    activity = Activity(tmp_path / "a")
    assert activity.frames == (1,)
    assert activity.table("frames").to_pylist()[0]["frame"] == 1
    assert activity.table("draws").to_pylist()[0]["draw"] == 0
    with pytest.raises(KeyError, match="frame 0 was not recorded"):
        activity.frame("draws", 0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_capture_that_ends_within_a_frame_gives_its_whole_frames(scene: Path, tmp_path: Path, jobs: int) -> None:
    """As where the application was killed."""
    calls = list(Trace(scene))
    swaps = [i for i, call in enumerate(calls) if call.ends_frame]
    assert len(swaps) == 2
    more = Call(0, Signature("glBufferData", ("target", "size", "data", "usage")), [0x8892, 4, bytes(4), 0x88E4])
    with TraceWriter(tmp_path / scene.name) as writer:
        for call in [
            *calls[: swaps[1]],
            Call(0, Signature("glBindBuffer", ("target", "buffer")), [0x8892, 7]),
            more,
        ]:
            writer.write(call)
    for name, source, frames in (("cut", tmp_path / scene.name, None), ("whole", scene, FrameRange(0, 1))):
        record(source, tmp_path / name, frames, groups=frozenset(("inputs", "colors", "pass_images")), jobs=jobs)
    cut, whole = (Activity(tmp_path / name) for name in ("cut", "whole"))
    assert cut.frames == whole.frames == (0,)
    for name in TABLES:
        assert cut.table(name).equals(whole.table(name)), name
    assert {p.name for p in cut.folder.iterdir()} == {p.name for p in whole.folder.iterdir()}


def test_small_frames_share_row_groups_and_are_the_same_as_alone(
    scene: Path, visible: Activity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_group, "ROWS", 1)
    record(scene, tmp_path / "a", groups=frozenset(visible.manifest.groups))
    alone = Activity(tmp_path / "a")
    assert visible.manifest.row_groups == (2,) and alone.manifest.row_groups == (1, 1)
    assert pq.ParquetFile(alone.folder / "quads.parquet").num_row_groups == 2
    for name, table in TABLES.items():
        assert visible.table(name).equals(alone.table(name)), name
        if table.scope == "recording":
            continue
        columns = [c.name for c in table.columns if c.name != "frame"][:2]
        for frame in (1, 0):
            assert visible.frame(name, frame).equals(alone.frame(name, frame)), name
            assert set(visible.frame(name, frame)["frame"].to_pylist()) <= {frame}
            assert visible.frame(name, frame, columns).equals(alone.frame(name, frame, columns)), name


def test_row_groups_tell_their_frames_so_that_queries_can_leave_them_out(visible: Activity) -> None:
    for name, table in TABLES.items():
        if table.scope == "frame" and visible.manifest.rows[name]:
            group = pq.ParquetFile(visible.folder / f"{name}.parquet").metadata.row_group(0)
            statistics = group.column(0).statistics
            assert (statistics.min, statistics.max) == (0, 1), name


def test_level_summary_holds_counts_only(scene: Path, visible: Activity, tmp_path: Path) -> None:
    record(scene, tmp_path / "a", level="summary")
    activity = Activity(tmp_path / "a")
    assert activity.table("summary").equals(visible.table("summary"))
    assert {name for name, count in activity.manifest.rows.items() if count} == {
        "frames",
        "passes",
        "summary",
        "surfaces",
        "buffers",
        "programs",
        "instructions",
        "paths",
    }


@pytest.fixture
def copy(visible: Activity, tmp_path: Path) -> Path:
    """A copy to damage."""
    shutil.copytree(visible.folder, tmp_path / "copy")
    return tmp_path / "copy"


def test_a_missing_table_is_named(copy: Path) -> None:
    (copy / "quads.parquet").unlink()
    with pytest.raises(ActivityError, match="quads.parquet: missing"):
        Activity(copy)


def test_a_damaged_table_is_named(copy: Path) -> None:
    (copy / "draws.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(ActivityError, match="draws.parquet: not a readable Parquet file"):
        Activity(copy)


def test_a_foreign_table_is_named(copy: Path) -> None:
    pd.DataFrame({"frame": pd.array([1], "int32")}).to_parquet(copy / "quads.parquet")
    with pytest.raises(ActivityError, match="quads.parquet: has no column primitive"):
        Activity(copy)


def test_another_format_version_is_refused(copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest | {"format_version": 99}))
    with pytest.raises(ActivityError, match="format version 99"):
        Activity(copy)


@pytest.mark.parametrize("change", ({"row_groups": [1]}, {"row_groups": [2, 0]}, {"frames": [1, 0]}))
def test_a_manifest_that_contradicts_itself_is_refused(copy: Path, change: dict[str, list[int]]) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(ActivityError, match=r"manifest.json: .*(row groups do not hold|frames do not ascend)"):
        Activity(copy)


@pytest.mark.parametrize("frames", ([1, 0], [0, 7]))
def test_frames_that_are_not_the_manifests_are_named(copy: Path, frames: list[int]) -> None:
    path = copy / "frames.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(0, table.schema.field(0), pa.array(frames, pa.int32())), path)
    with pytest.raises(ActivityError, match="frames.parquet: frames are not those of the manifest"):
        Activity(copy).frame("frames", 0)


def test_what_is_no_activity_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ActivityError, match="no manifest.json"):
        Activity(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(ActivityError, match="not the manifest of an activity"):
        Activity(tmp_path)


def test_an_activity_is_replaced_only_when_told_to(scene: Path, tmp_path: Path) -> None:
    record(scene, tmp_path / "a", frames=FrameRange(0, 1))
    with pytest.raises(ActivityError, match="--force"):
        record(scene, tmp_path / "a")
    record(scene, tmp_path / "a", replace=True)
    assert Activity(tmp_path / "a").frames == (0, 1)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious.txt").write_text("keep")
    with pytest.raises(ActivityError, match="not an activity"):
        record(scene, tmp_path / "other", replace=True)
    assert (tmp_path / "other" / "precious.txt").read_text() == "keep"


def test_a_recording_that_fails_leaves_the_old_one(scene: Path, tmp_path: Path) -> None:
    record(scene, tmp_path / "a", frames=FrameRange(0, 1))
    with pytest.raises(CaptureError, match="none of the requested ones"):
        record(scene, tmp_path / "a", frames=FrameRange(50, None), replace=True)
    assert Activity(tmp_path / "a").frames == (0,)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_columns_without_values_must_be_allowed_to_be_null(tmp_path: Path) -> None:
    with ActivityWriter(tmp_path / "a") as writer, pytest.raises(ActivityError, match="quads: no values for"):
        writer.write("quads", {"frame": [1]})
