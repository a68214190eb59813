"""The wheel, installed alone into a clean virtual environment: nothing may depend on the checkout."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PARTS = "collisions", "data", "functional", "shaders", "timing", "tools"
MOST_BYTES = 540e6
"""Without bytecode, which takes another 60 MB."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    tmp_path = tmp_path_factory.mktemp("wheel")
    wheels = tmp_path / "wheels"
    # Built from a copy: what lies about in a checkout's build folder must not get into the wheel.
    sources = tmp_path / "sources"
    sources.mkdir()
    for name in ("api", "collisions", "functional", "timing", "shaders", "tools", "data"):
        shutil.copytree(REPOSITORY / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    (sources / "docs").mkdir()
    for name in ("pyproject.toml", "setup.py", "docs/package.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, sources / name)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", wheels, sources], check=True, capture_output=True
    )
    (wheel,) = wheels.glob("tilegpu-*.whl")
    # The index shows the page: all that it refers to has an address.
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel], check=True, capture_output=True)
    return wheel


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel."""
    home = tmp_path_factory.mktemp("home") / "venv"
    venv.create(home, with_pip=False)
    pip = (sys.executable, "-m", "pip", "--python", home / "bin" / "python")
    subprocess.run([*pip, "install", "--quiet", "--no-compile", wheel], check=True, capture_output=True)
    return home


def run(*command: str | Path, cwd: Path, seconds: int = 300) -> str:
    """What a program prints, far from the checkout."""
    hidden = ("PYTHONPATH", "TILEGPU_CAPTURES", "TILEGPU_DEQP")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


EVERYTHING = """
import importlib, pkgutil, tilegpu.functional
for name in PARTS:
    package = importlib.import_module("tilegpu." + name)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            print(module.name)
print(tilegpu.functional.__file__)
"""


def test_every_file_is_in_the_wheel(wheel: Path) -> None:
    """Its content, byte for byte."""
    with zipfile.ZipFile(wheel) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    folders = {"api": "tilegpu"} | {part: f"tilegpu/{part}" for part in PARTS}
    missing = [
        path
        for part, folder in folders.items()
        for path in (REPOSITORY / part).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.parts
        if found.get(f"{folder}/{path.relative_to(REPOSITORY / part)}") != path.read_bytes()
    ]
    assert [path for path in missing if path.suffix == ".py" or path.is_relative_to(REPOSITORY / "data")] == []


@pytest.mark.slow
def test_every_module_is_imported_from_the_wheel(home: Path, tmp_path: Path) -> None:
    found = run(home / "bin" / "python", "-c", EVERYTHING.replace("PARTS", repr(PARTS)), cwd=tmp_path).split("\n")
    assert str(home) in found[-2]
    sources = {
        f"tilegpu.{'.'.join(path.relative_to(REPOSITORY).with_suffix('').parts)}".removesuffix(".__init__")
        for part in PARTS
        for path in (REPOSITORY / part).rglob("*.py")
        if path.name != "__main__.py"
    }
    parts = {f"tilegpu.{part}" for part in PARTS}
    assert sources - parts <= set(found)
    installed = Path(found[-2]).parents[1]
    for path in (*(REPOSITORY / "data").rglob("*"), *(REPOSITORY / "tools" / "report").iterdir()):
        if path.is_file() and path.suffix != ".pyc":
            assert (installed / path.relative_to(REPOSITORY)).is_file(), path
    assert "imr-2018" in run(home / "bin" / "tilegpu", "configs", cwd=tmp_path)
    assert "glDrawElements" in run(
        home / "bin" / "tilegpu", "info", installed / "data" / "scenes" / "runner.trace", cwd=tmp_path
    )


@pytest.mark.slow
def test_a_plain_installation_is_small(home: Path) -> None:
    (packages,) = home.glob("lib/python*/site-packages")
    assert not {"scipy", "skimage", "matplotlib", "plotly", "pandas"} & {path.name for path in packages.iterdir()}
    assert sum(path.stat().st_size for path in packages.rglob("*") if path.is_file()) < MOST_BYTES


@pytest.mark.slow
def test_what_an_extra_brings_is_named(home: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [home / "bin" / "tilegpu", "study", "ptr-2022", "-o", "study"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.strip() == "error: drawing pictures needs matplotlib: pip install 'tilegpu[plot]'"


@pytest.mark.slow
def test_the_demo_runs_from_an_installed_wheel(home: Path, tmp_path: Path) -> None:
    assert "two Raster Units are" in run(home / "bin" / "tilegpu", "demo", cwd=tmp_path, seconds=900)
    assert (tmp_path / "tilegpu-demo" / "images" / "frame_0007.png").is_file()
