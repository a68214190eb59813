"""Compiled code is read only from folders that no one else can write."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path

import pytest

from tilegpu.functional.compile import stored_files
from tilegpu.functional.compile.stored_files import cache_folder, private_folder


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder for all, where the user's home holds no caches."""
    (tmp_path / "home").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    stored_files.folder_of_this_process.cache_clear()
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
    stored_files.folder_of_this_process.cache_clear()
    assert tmp_path / "tilegpu" not in cache_folder("key").parents


@pytest.mark.parametrize("which", ["tilegpu", "tilegpu/key"])
@pytest.mark.parametrize("kind", ["a link", "writable for the group", "writable for all"])
def test_neither_the_place_nor_a_folder_in_it_is_used_where_others_may_write(
    tmp_path: Path, which: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    prepared = tmp_path / which
    prepared.parent.mkdir(mode=0o700, exist_ok=True)
    if kind == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        prepared.symlink_to(tmp_path / "elsewhere")
    else:
        prepared.mkdir()
        prepared.chmod(0o777 if kind == "writable for all" else 0o770)
    assert cache_folder("key") == tmp_path / "shared" / f"tilegpu-{os.geteuid()}" / "key"


def test_folders_are_the_users_alone_whatever_the_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = os.umask(0o000)
    try:
        folder = cache_folder("key")
    finally:
        os.umask(before)
    for made in (folder, folder.parent):
        assert made.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    assert private_folder(folder) and folder.stat().st_mode & 0o777 == 0o700
