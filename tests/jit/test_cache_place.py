"""Compiled code is read only from folders that no one else can write."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path

import pytest

from tilegpu.functional.jit import cache_place
from tilegpu.functional.jit.cache_place import cache_folder


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder for all, where the user's home holds no caches."""
    (tmp_path / "home").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    cache_place._of_this_process.cache_clear()
    return tmp_path / "shared"


def test_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("key") == tmp_path / "tilegpu" / "key"
    assert cache_folder("key").is_dir()


def test_a_place_of_ones_own_in_the_temporary_folder(shared: Path) -> None:
    folder = cache_folder("key")
    assert folder == shared / f"tilegpu-{os.geteuid()}" / "key"
    assert folder.parent.stat().st_mode & 0o077 == 0
    assert cache_folder("key") == folder


@pytest.mark.parametrize("kind", ["another user's", "a link", "writable for all"])
def test_a_place_that_someone_else_prepared_is_not_used(
    shared: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = shared / f"tilegpu-{os.geteuid()}"
    if kind == "another user's":
        prepared = shared / f"tilegpu-{os.geteuid() + 1}"
        monkeypatch.setattr(os, "geteuid", partial(int, os.geteuid() + 1))
    if kind == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        prepared.symlink_to(tmp_path / "elsewhere")
    else:
        prepared.mkdir(mode=0o700)
        prepared.chmod(0o777 if kind == "writable for all" else 0o700)
    folder = cache_folder("key")
    assert prepared not in folder.parents and folder.parent.parent == shared
    assert folder.parent.stat().st_mode & 0o077 == 0
    assert cache_folder("other").parent == folder.parent
    assert not list(prepared.iterdir())


def test_a_home_of_another_user_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "tilegpu").mkdir()
    monkeypatch.setattr(os, "geteuid", partial(int, os.geteuid() + 1))
    cache_place._of_this_process.cache_clear()
    assert tmp_path / "tilegpu" not in cache_folder("key").parents
