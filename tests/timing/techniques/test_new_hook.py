"""A hook that is added as docs/techniques.md says, in a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tilegpu

REPOSITORY = Path(__file__).parents[3]
CALLED_AFTER = "    push_token(queue, entry.kind, entry.tile, entry.entry)\n"
RUN = """
import json, sys
sys.path.insert(0, {helpers!r})
from synthetic import synthetic
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import engine_of
from tilegpu.timing.config import load_configuration
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.results.statistics import snapshot

settings = ["dram=simple", "raster_units=2", "techniques=sharing"]
configuration = load_configuration("ptr-2022", settings)
chip = build(configuration).plain()
begin_frame(chip)
frame = synthetic(tiles_x=4, primitives=2, largest=6)
assert engine_of(configuration, compiled=False).run(chip.gpu, plain(frame), False, 1 << 30)
print(json.dumps(dict(snapshot(chip))))
"""


def pieces() -> tuple[str, str, str]:
    """Declaration, call and technique on the page."""
    text = (REPOSITORY / "docs" / "techniques.md").read_text("utf-8")
    section = text.partition("## A hook of your own")[2].partition("\n## ")[0]
    declaration, call, technique = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return declaration, call, technique


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a copy of the package that has the hook."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(Path(str(tilegpu.__file__)).parent, folder / "tilegpu", ignore=shutil.ignore_patterns("*.pyc"))
    timing = folder / "tilegpu" / "timing"
    declaration, call, technique = pieces()
    hooks, caller = timing / "engine" / "hooks.py", timing / "units" / "tile_fetcher.py"
    hooks.write_text(hooks.read_text("utf-8") + "\n\n" + declaration, "utf-8")
    text = caller.read_text("utf-8")
    assert text.count(CALLED_AFTER) == 1
    caller.write_text(text.replace(CALLED_AFTER, CALLED_AFTER + call), "utf-8")
    (timing / "techniques" / "sharing.py").write_text(technique, "utf-8")
    return folder


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a frame on two Raster Units with the copy."""
    text = RUN.format(helpers=str(REPOSITORY / "tests" / "timing" / "helpers"))
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, cwd=folder)


def test_a_hook_is_three_files(copied: Path) -> None:
    ran = run(copied)
    assert ran.returncode == 0, ran.stderr
    counted = json.loads(ran.stdout)
    primitives = [counted[f"techniques.sharing.primitives_{r}"] for r in range(2)]
    assert min(primitives) > 0
    assert sum(primitives) == counted["tiling.tile_fetcher.primitives"] == 8


def test_a_technique_with_other_parameters_is_refused_in_a_line(copied: Path) -> None:
    technique = copied / "tilegpu" / "timing" / "techniques" / "sharing.py"
    technique.write_text(technique.read_text("utf-8").replace("r: int, entry: int, t: int", "r: int, t: int"), "utf-8")
    ran = run(copied)
    assert ran.returncode != 0
    expected = (
        "technique sharing: primitive_fetched takes (gpu, own, tiling, r, entry, t), not (gpu, own, tiling, r, t)"
    )
    assert ran.stderr.strip().endswith(expected)
