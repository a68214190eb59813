"""The study that docs/studies.md shows runs as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.tools.conftest import record_square, tilegpu  # noqa: F401

PAGE = Path(__file__).parents[2] / "docs" / "studies.md"


def test_the_example_of_the_page(tilegpu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """On a capture that has the frames that it names; only a class and a bound are told beside the number."""
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    (tmp_path / "my_study.py").write_text(example)
    record_square(tmp_path / "game.trace", 48)
    monkeypatch.chdir(tmp_path)
    done = tilegpu("study", "my_study.py", "-o", "mine", "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert (found["workloads"], found["applications"]) == (["game@40:46"], ["scene:runner"])
    gain, twice = found["conclusions"]
    (folder,) = [path for path in Path("mine/runs").iterdir() if path.name.startswith("game")]

    def total(machine: str, name: str) -> float:
        rows = pq.read_table(folder / machine / "stats.parquet").to_pylist()
        return sum(row["value"] for row in rows if row["name"] == name)

    assert gain["ours"] == pytest.approx(total("one", "gpu.cycles") / total("two", "gpu.cycles"), abs=1e-5)
    share = total("one", "gpu.raster_cycles") / total("one", "gpu.cycles")
    assert gain["bound"] == pytest.approx(1 / (1 - share / 2), abs=1e-5)
    assert gain["ours"] <= gain["bound"] * 1.001
    assert gain["interval"][0] <= gain["ours"] <= gain["interval"][1]
    assert gain["holds"] is False and gain["cause"]["line"] == "geometry is not shared"
    assert twice["undecidable"]["called"] == "not decidable"
    assert (
        "1 not decidable" in Path("mine/report.html").read_text()
        and "geometry is not shared" in Path("mine/report.html").read_text()
    )
