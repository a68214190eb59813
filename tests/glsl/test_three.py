"""The shaders of three.js's standard materials compile; the npm package is fetched, not kept."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

from tilegpu.functional.glsl import compile_shader, link_program

from ..conftest import missing

PACKAGE = "three@0.170.0"
SCRIPT = Path(__file__).parent / "three" / "materials.mjs"


@pytest.fixture(scope="module")
def materials(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """Name, vertex and fragment source of every program."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        missing("needs node and npm")
    folder = tmp_path_factory.mktemp("three")
    fetched = subprocess.run([str(npm), "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, text=True)
    if fetched.returncode:
        missing(f"npm cannot fetch {PACKAGE}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    printed = subprocess.run(
        [str(node), str(SCRIPT), str(folder / "package")], capture_output=True, text=True, check=True
    )
    found: list[dict[str, str]] = json.loads(printed.stdout)
    return found


@pytest.mark.slow
def test_every_material_compiles(materials: list[dict[str, str]]) -> None:
    assert len(materials) >= 25
    for material in materials:
        name = material["name"]
        vertex = compile_shader(material["vertex"], "vertex", f"{name}.vert")
        program = link_program(vertex, compile_shader(material["fragment"], "fragment", f"{name}.frag"), {})
        assert program.fragment.instructions[-1].opcode == "END"


@pytest.mark.slow
def test_physical_material_compiles_soon_and_once(materials: list[dict[str, str]]) -> None:
    """Processor time, the best of several: 150 ms on one core of a present-day machine, some more on an old one."""
    material = next(m for m in materials if m["name"].startswith("MeshPhysicalMaterial"))
    seconds = []
    for _ in range(5):
        compile_shader.cache_clear()
        start = time.process_time()
        shaders = compile_shader(material["vertex"], "vertex"), compile_shader(material["fragment"], "fragment")
        link_program(*shaders, {})
        seconds.append(time.process_time() - start)
    assert min(seconds) < 1
    assert compile_shader(material["fragment"], "fragment") is shaders[1]
