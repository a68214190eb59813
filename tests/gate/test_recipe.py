"""The workflow of docs/recipes.md, run as it stands on a repository with two branches."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

RECIPES = Path(__file__).parents[2] / "docs" / "recipes.md"
GIT = "git", "-c", "user.name=tester", "-c", "user.email=tester@example.com"


def workflow() -> dict[str, Any]:
    """The recipe's file."""
    (text,) = re.findall(r"^```yaml norun\n(# \.github/workflows/.*?)^```", RECIPES.read_text("utf-8"), re.M | re.S)
    return dict(yaml.safe_load(text))


def repository(folder: Path, captures: tuple[Path, Path]) -> Path:
    """A clone whose branch `main` has the first capture, and whose work tree has the second one."""
    origin, clone = folder / "origin", folder / "clone"
    (origin / "captures").mkdir(parents=True)
    shutil.copyfile(captures[0], origin / "captures" / "game.trace")
    for command in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "A capture")):
        subprocess.run([*GIT, *command], cwd=origin, check=True)
    subprocess.run([*GIT, "clone", "-q", str(origin), str(clone)], check=True)
    shutil.copyfile(captures[1], clone / "captures" / "game.trace")
    return clone


def run_steps(clone: Path) -> list[subprocess.CompletedProcess[str]]:
    """Run the steps after the installation, as the service does: `always()` runs after a failure, too."""
    summary = clone / "summary.md"
    summary.touch()
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    done: list[subprocess.CompletedProcess[str]] = []
    for step in workflow()["jobs"]["gate"]["steps"]:
        script, failed = step.get("run", ""), any(each.returncode for each in done)
        if not script or script.startswith("pip install") or (failed and step.get("if") != "always()"):
            continue
        bash = ["bash", "-e", "-c", script]
        done.append(subprocess.run(bash, cwd=clone, env=environment, capture_output=True, text=True, timeout=600))
    return done


def test_the_workflow_is_one() -> None:
    found = workflow()
    # YAML 1.1 reads the key "on" as a truth.
    assert found[True] == "pull_request" and found["jobs"]["gate"]["runs-on"] == "ubuntu-latest"
    assert all({"uses", "run"} & step.keys() for step in found["jobs"]["gate"]["steps"])


@pytest.mark.slow
def test_the_workflow_fails_for_a_doubled_texture_and_names_its_draw(
    captures: tuple[Path, Path], tmp_path: Path
) -> None:
    gate, show = run_steps(repository(tmp_path, captures))
    assert gate.returncode == 1, gate.stdout + gate.stderr
    assert re.search(
        r"frame 0, draw 0 \(call 80\) .* L2 misses .* memory.dram.bytes [\d,]+ → [\d,]+, at most \+50 %", gate.stdout
    )
    assert re.search(r"frame 0, idle +[\d,]+ +[\d,]+ +\+\d+.\d+ %  no unit at work, as during uploads", gate.stdout)
    assert show.returncode == 0
    told = (tmp_path / "clone" / "summary.md").read_text("utf-8")
    assert told.startswith("### GPU cost: ❌") and r"frame 0, draw 0 \(call 80\)" in told
    assert (tmp_path / "clone" / "gate.xml").is_file()


@pytest.mark.slow
def test_the_workflow_passes_where_nothing_changed(captures: tuple[Path, Path], tmp_path: Path) -> None:
    gate, show = run_steps(repository(tmp_path, (captures[0], captures[0])))
    assert (gate.returncode, show.returncode) == (0, 0), gate.stdout + gate.stderr
    assert "within all limits" in gate.stdout
