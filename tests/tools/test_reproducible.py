"""What makes a release reproducible: pinned versions, the steps of the image, the description of a deposit."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.constraints import named, normalized

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
PINS = dict(
    line.split("==") for line in (REPOSITORY / "constraints.txt").read_text().splitlines() if not line.startswith("#")
)


def test_each_package_that_the_project_names_is_pinned_to_a_version_that_is_allowed() -> None:
    for requirement in named():
        assert requirement.specifier.contains(PINS[normalized(requirement.name)]), requirement
    assert all(re.fullmatch(r"[a-z0-9-]+", name) and re.fullmatch(r"[0-9a-z.+]+", PINS[name]) for name in PINS)


def test_a_deposit_is_described_as_the_package_is() -> None:
    deposit = json.loads((REPOSITORY / ".zenodo.json").read_text("utf-8"))
    citation = (REPOSITORY / "CITATION.cff").read_text("utf-8")
    assert deposit["version"] == PROJECT["version"] and f"version: {PROJECT['version']}\n" in citation
    assert deposit["title"] in citation and deposit["license"] == PROJECT["license"]
    assert [c["name"] for c in deposit["creators"]] == [a["name"] for a in PROJECT["authors"]]


def instructions() -> list[tuple[str, str]]:
    """Instructions of the Dockerfile and what stands behind them."""
    lines = (REPOSITORY / "Dockerfile").read_text("utf-8").splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line and not line.startswith("#")]


def test_the_image_installs_extras_that_there_are() -> None:
    (_, base), *rest = instructions()
    assert base.startswith("python:3.") and "/" not in base
    (extras,) = re.findall(r"'\.\[(.*)\]'", " ".join(text for _, text in rest))
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])


@pytest.mark.slow
def test_the_steps_of_the_image_run(tmp_path: Path) -> None:
    """In the image's order, with a virtual environment in place of its home folder."""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    moved = {"/source": str(tmp_path / "source"), "/data": str(tmp_path / "data"), "/opt": str(tmp_path / "opt")}

    def here(text: str) -> str:
        return re.sub(r"/(source|data|opt)\b", lambda path: moved[path[0]], text)

    folder = tmp_path
    for instruction, text in instructions():
        if instruction == "ENV":
            environment |= [here(text).split("=")]
        elif instruction == "COPY":
            source, target = text.split()
            ignored = (REPOSITORY / ".dockerignore").read_text().replace("**/", "").split()
            shutil.copytree(REPOSITORY / source, here(target), ignore=shutil.ignore_patterns(*ignored))
        elif instruction == "WORKDIR":
            folder = Path(here(text))
            folder.mkdir(exist_ok=True)
        elif instruction == "RUN":
            done = subprocess.run(here(text), shell=True, cwd=folder, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, f"{text}\n{done.stderr}"
        elif instruction == "ENTRYPOINT":
            program = shlex.split(here(json.loads(text)[0]))
    trace = tmp_path / "source" / "data" / "scenes" / "sprites.trace"
    subprocess.run([*program, "render", str(trace), "--frames", "0", "-o", "frames"], cwd=folder, check=True)
    assert (folder / "frames" / "frame_0000.png").is_file()
