"""The wheel, installed alone into a clean virtual environment: nothing may depend on the checkout."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_the_demo_runs_from_an_installed_wheel(tmp_path: Path) -> None:
    wheels, home, elsewhere = tmp_path / "wheels", tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    # Built from a copy: what lies about in a checkout's build folder must not get into the wheel.
    sources = tmp_path / "sources"
    sources.mkdir()
    for name in ("functional", "timing", "shaders", "tools", "data"):
        shutil.copytree(REPOSITORY / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, sources)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", wheels, sources], check=True, capture_output=True
    )
    (wheel,) = wheels.glob("tilegpu-*.whl")
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True, capture_output=True)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "TILEGPU_CAPTURES", "TILEGPU_DEQP")}
    done = subprocess.run(
        [home / "bin" / "tilegpu", "demo"], cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "two Raster Units are" in done.stdout
    assert (elsewhere / "tilegpu-demo" / "images" / "frame_0007.png").is_file()
    found = subprocess.run(
        [python, "-c", "import tilegpu.functional as f; print(f.__file__)"],
        cwd=elsewhere,
        capture_output=True,
        text=True,
    )
    assert str(home) in found.stdout
