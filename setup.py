"""Find the packages in the folders that pyproject.toml maps them from; all else is declared there."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from setuptools import find_namespace_packages, setup

FOLDERS = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"]


def packages() -> Iterator[str]:
    """All packages of the project; folders with data are some, too."""
    for name, folder in FOLDERS.items():
        yield name
        inner = find_namespace_packages(folder, exclude=["__pycache__", "*.__pycache__"])
        yield from (f"{name}.{package}" for package in inner if name != "tilegpu")


setup(packages=list(packages()))
