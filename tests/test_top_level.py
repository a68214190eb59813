"""The top of the repository has the files and folders that belong there, and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {".ci", "api", "collisions", "data", "docs", "functional", "shaders", "site", "tests", "timing", "tools"}
FILES = {
    ".dockerignore",
    ".gitignore",
    ".zenodo.json",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "Dockerfile",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "README.md",
    "constraints.txt",
    "pyproject.toml",
    "setup.py",
}


def test_the_top_of_the_repository() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split("/")[0] for line in listed.splitlines()} == FOLDERS | FILES
