"""Results kept on disk: read again under their key alone, and limited in number."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tilegpu.functional.compile import StoredFiles, stored_files
from tilegpu.functional.compile.stored_files import read_sealed, write_sealed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The caches' folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "tilegpu"


def test_the_least_recently_used_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_files, "MOST_FILES", 8)
    first = StoredFiles("things", ".x", [])
    for number in range(9):
        first.write([str(number)], b"content")
        # File systems may count time in steps of several milliseconds.
        path = first._path([str(number)])
        os.utime(path, (number, number))
    assert first.read(["0"]) == b"content"
    second = StoredFiles("things", ".x", [])
    second.write(["new"], b"content")
    kept = [key for key in (*map(str, range(9)), "new") if second.read([key]) is not None]
    assert kept == ["0", "4", "5", "6", "7", "8", "new"]
    assert len(list((folder / "things").iterdir())) == len(kept)


def test_only_ones_own_whole_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    before = os.umask(0o000)
    try:
        write_sealed(path, b"content")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_sealed(path) == b"content"
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole + b"x", bytes([whole[0] ^ 1]) + whole[1:], whole[:-1] + b"T"):
        path.write_bytes(damaged)
        assert read_sealed(path) is None
    path.write_bytes(whole)
    (tmp_path / "link").symlink_to(path)
    assert read_sealed(tmp_path / "link") is None
    path.chmod(0o620)
    assert read_sealed(path) is None
    path.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    assert read_sealed(path) is None
