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
from tilegpu.functional.characterize.run import Options, characterize
from tilegpu.functional.player import Frame, FrameRange


def test_tables_open_and_say_where_they_are_from(tilegpu, square: Path, tmp_path: Path) -> None:
    done = tilegpu("characterize", square, "-o", tmp_path / "counts", "--frames", "1:2", "--tile", "16x16")
    assert done.status == 0 and "1 frames" in done.out
    (row,) = pd.read_parquet(tmp_path / "counts" / "frames.parquet").to_dict("records")
    # A square of 16 x 16 pixels, 8 + 2 from the left and 8 from below: two triangles on 2 x 2 tiles.
    assert (row["frame"], row["draws"], row["primitives"], row["fragments_shaded"]) == (1, 1, 2, 256)
    assert row["overdraw"] == 256 / 32**2 and row["width"] == 32
    path = tmp_path / "counts" / "programs.parquet"
    stages = duckdb.sql(f"select stage, invocations from '{path}' order by stage").fetchall()
    assert stages == [("fragment", 256), ("vertex", 4)]
    metadata = pq.read_schema(path).metadata
    assert metadata[b"source_name"] == square.name.encode() and len(metadata[b"source_sha256"]) == 64


def test_an_interrupted_run_goes_on_where_it_was(scenes: Path, tmp_path: Path) -> None:
    trace, folder, six = scenes / "sprites.trace", tmp_path / "counts", FrameRange(0, 6)
    characterize(trace, tmp_path / "whole", Options(six))

    def run(stop: int, options: Options = Options(six)) -> list[int]:  # noqa: B008
        seen: list[int] = []

        def on_frame(frame: Frame, fraction: float) -> None:
            seen.append(frame.number)
            if frame.number == stop:
                raise KeyboardInterrupt

        with contextlib.suppress(KeyboardInterrupt):
            characterize(trace, folder, options, on_frame=on_frame)
        return seen

    assert run(3) == [0, 1, 2, 3]
    # The last frame is done again.
    assert run(4) == [3, 4]
    journal = tmp_path / ".counts.characterizing"
    journal.write_text(journal.read_text()[:-20])
    assert run(-1) == [3, 4, 5]
    assert not journal.exists()
    for path in sorted((tmp_path / "whole").iterdir()):
        assert path.read_bytes() == (folder / path.name).read_bytes(), path.name
    shutil.rmtree(folder)
    assert run(3) == [0, 1, 2, 3]
    # Other options begin anew.
    assert run(-1, Options(six, (16, 16))) == [0, 1, 2, 3, 4, 5]


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
