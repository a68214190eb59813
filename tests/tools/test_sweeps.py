"""Sweeps on the command line: where time goes, and what bounds a speed-up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def sweep(tilegpu, square: Path, tmp_path: Path) -> tuple:
    """Command of a sweep over two fields, without its folder."""
    assert tilegpu("trace", square, "-o", tmp_path / "activity").status == 0
    return "replay", tmp_path / "activity", "--set", "l2_cache.size_bytes=16KiB,32KiB", "--set", "raster_units=1,2"


def test_a_sweep_says_what_did_not_shrink(tilegpu, sweep: tuple) -> None:
    rows = json.loads(tilegpu(*sweep, "--json").out)
    assert rows[0]["as_before"] is None
    for row in rows:
        assert sum(row["cycles_by_part"].values()) == row["cycles"]
    for row in rows[1:]:
        bound = row["as_before"]
        if bound is not None:
            part = row["cycles_by_part"][bound["part"]]
            assert bound["bound"] == pytest.approx(rows[0]["cycles"] / part)
            assert bound["share"] == pytest.approx(part / row["cycles"])
    assert any(row["as_before"] for row in rows)
    told = tilegpu(*sweep)
    header = told.out.splitlines()[1 if "took" in told.out.splitlines()[0] else 0]
    assert "geometry" in header and "raster" in header and "as before" in header and "rest" not in header
    assert "l2_cache.size_bytes=32KiB,raster_units=2" in told.out


def test_sweeps_count_costs_of_draws_and_draw_timelines(tilegpu, square: Path, tmp_path: Path) -> None:
    """The same as each run alone."""
    tilegpu("trace", square, "-o", tmp_path / "activity")
    options = ("--by-draw", "--timeline", "0", "--gzip")
    values = ("--set", "raster_units=1,2", "-o", tmp_path / "many")
    assert tilegpu("replay", tmp_path / "activity", *values).status == 0
    # Runs that lack what is asked for now are made again, which only --force may.
    refused = tilegpu("replay", tmp_path / "activity", *values, *options)
    assert refused.status == 2 and "holds other results" in refused.err
    assert tilegpu("replay", tmp_path / "activity", *values, *options, "--force").status == 0
    one = ("--set", "raster_units=2", "-o", tmp_path / "one")
    assert tilegpu("replay", tmp_path / "activity", *one, *options).status == 0
    for name in ("draws.parquet", "programs.parquet", "timeline.pftrace.gz", "stats.parquet"):
        assert (tmp_path / "many" / "raster_units=2" / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), (
            name
        )
    again = tilegpu("replay", tmp_path / "activity", *values, *options)
    assert "2 of 2 runs are in" in again.out
    report = tilegpu("report", tmp_path / "many", "-o", tmp_path / "r.html")
    assert report.status == 0 and "What draws cost" in (tmp_path / "r.html").read_text("utf-8")
