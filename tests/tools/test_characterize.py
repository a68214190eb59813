"""`tilegpu characterize` as a user meets it."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest

from tilegpu.functional.characterize import listener
from tilegpu.functional.characterize.count import TILE, Options
from tilegpu.functional.characterize.parts import ranges
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.frame_ranges import FrameRange


def test_tables_open_and_say_where_they_are_from(tilegpu, square: Path, tmp_path: Path) -> None:
    done = tilegpu("characterize", square, "-o", tmp_path / "counts", "--frames", "1:2", "--tile", "16x16")
    assert done.status == 0 and "1 frame in" in done.out
    (row,) = pd.read_parquet(tmp_path / "counts" / "frames.parquet").to_dict("records")
    # A square of 16 x 16 pixels, 8 + 2 from the left and 8 from below: two triangles on 2 x 2 tiles.
    assert (row["frame"], row["draws"], row["primitives"], row["fragments_shaded"]) == (1, 1, 2, 256)
    assert row["overdraw"] == 256 / 32**2 and row["width"] == 32
    path = tmp_path / "counts" / "programs.parquet"
    stages = duckdb.sql(f"select stage, invocations from '{path}' order by stage").fetchall()
    assert stages == [("fragment", 256), ("vertex", 4)]
    metadata = pq.read_schema(path).metadata
    assert metadata[b"source_name"] == square.name.encode() and len(metadata[b"source_sha256"]) == 64


SIX = FrameRange(0, 6)


@pytest.fixture(scope="module")
def whole(scenes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts of six frames."""
    folder = tmp_path_factory.mktemp("whole") / "counts"
    characterize(scenes / "sprites.trace", folder, Options(SIX))
    return folder


def same(one: Path, other: Path) -> bool:
    files = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in (one, other)]
    return files[0] == files[1]


def test_an_interrupted_run_goes_on_where_it_was(scenes: Path, whole: Path, tmp_path: Path) -> None:
    folder, journal = tmp_path / "counts", tmp_path / ".counts.characterizing"

    def run(stop: int, tile: tuple[int, int] = TILE) -> list[int]:
        seen: list[int] = []

        def on_frame(frames: int, share: float) -> None:
            seen.append(frames)
            if frames == stop:
                raise KeyboardInterrupt

        with contextlib.suppress(KeyboardInterrupt):
            characterize(scenes / "sprites.trace", folder, Options(SIX, tile), on_frame=on_frame)
        return seen

    assert run(4) == [1, 2, 3, 4] and not folder.exists()
    # The last frame is done again.
    assert run(5) == [4, 5]
    journal.write_text(journal.read_text()[:-20])
    assert run(0) == [4, 5, 6]
    assert same(whole, folder) and not journal.exists()
    shutil.rmtree(folder)
    assert run(4) == [1, 2, 3, 4]
    # Other options begin anew.
    assert run(0, (16, 16)) == [1, 2, 3, 4, 5, 6]


def test_processes_count_ranges(tilegpu, scenes: Path, whole: Path, tmp_path: Path) -> None:
    command = "characterize", scenes / "sprites.trace", "-o", tmp_path / "counts", "--jobs"
    assert tilegpu(*command, "2", "--frames", "0:6").status == 0
    assert same(whole, tmp_path / "counts")
    assert not list(tmp_path.glob(".counts*"))
    none = tilegpu(*command, "3", "--frames", "900:", "--force")
    assert none.status == 2 and "none of the requested" in none.err


@pytest.mark.parametrize(
    ("frames", "parts", "cuts"),
    [
        (FrameRange(0, 6), 2, [(0, 3), (3, 6)]),
        (FrameRange(), 3, [(0, 3), (3, 6), (6, 10)]),
        (FrameRange(8, 20), 4, [(8, 9), (9, 10)]),
        (FrameRange(12), 2, [(12, 10)]),
    ],
)
def test_ranges(frames: FrameRange, parts: int, cuts: list[tuple[int, int]]) -> None:
    assert [(part.first, part.last) for part in ranges(frames, 10, parts)] == cuts


def test_a_run_that_is_interrupted_in_its_first_frame_leaves_nothing(
    tilegpu, square: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(listener.CharacterizingListener, "take", interrupted)
    assert tilegpu("characterize", square, "-o", tmp_path / "counts").status == 130
    assert not list(tmp_path.glob("*counts*")) and not list(tmp_path.glob(".*counts*"))
    monkeypatch.undo()
    assert tilegpu("characterize", square, "-o", tmp_path / "counts").status == 0


def test_what_is_there_is_replaced_only_if_asked(tilegpu, square: Path, tmp_path: Path) -> None:
    command = "characterize", square, "-o", tmp_path / "counts"
    assert tilegpu(*command).status == 0
    again = tilegpu(*command)
    assert again.status == 2 and "pass --force" in again.err
    assert tilegpu(*command, "--force").status == 0
    other = tilegpu("characterize", square, "-o", tmp_path)
    assert other.status == 2 and "is no characterization" in other.err
