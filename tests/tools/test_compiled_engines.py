"""Engines as users have them: tests run ones that are compiled quickly, and both must give the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import record_square


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["ptr-2022", "emerald-case2"])
def test_whole_pipeline_gives_what_the_quick_one_gives(preset: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tilegpu"]
    record_square(tmp_path / "square.trace", 3)
    subprocess.run([*command, "trace", "square.trace", "-o", "square"], cwd=tmp_path, check=True, capture_output=True)
    for quick in ("", "1"):
        options = "square", "--config", preset, "--warm-up", "1", "-o", f"out{quick}"
        environment = os.environ | {"TILEGPU_QUICK_COMPILE": quick}
        subprocess.run([*command, "replay", *options], cwd=tmp_path, env=environment, check=True, capture_output=True)
    whole, quickly = tmp_path / "out", tmp_path / "out1"
    names = sorted(path.name for path in whole.iterdir())
    assert "stats.parquet" in names and names == sorted(path.name for path in quickly.iterdir())
    for name in names:
        assert (whole / name).read_bytes() == (quickly / name).read_bytes(), name
