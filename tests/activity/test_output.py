"""Output is there when it is whole, or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.full_disk import full_disk
from tilegpu.functional.activity.output import check_place, whole_file, whole_folder
from tilegpu.functional.capture import Call, Signature, TraceWriter

Whole = Callable[[Path], AbstractContextManager[Path]]


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "notes.txt"
    with whole_file(path) as partial:
        partial.write_text("one")
        assert not path.exists()
    assert path.read_text() == "one"
    with whole_file(path) as partial:
        partial.write_text("two")
        assert path.read_text() == "one"
    assert path.read_text() == "two"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "results"
    for name in ("one", "two"):
        with whole_folder(path) as partial:
            (partial / name).touch()
        assert [file.name for file in path.iterdir()] == [name]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("whole", [whole_file, whole_folder])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_fails_leaves_nothing(tmp_path: Path, whole: Whole, error: type[BaseException]) -> None:
    with pytest.raises(error), whole(tmp_path / "new" / "folder" / "thing") as partial:
        (partial / "inside" if partial.is_dir() else partial).write_text("half")
        raise error
    assert list(tmp_path.iterdir()) == []


def test_what_fails_leaves_what_was_there(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "results") as partial:
        (partial / "one").touch()
    with pytest.raises(ValueError), whole_folder(tmp_path / "results"):
        raise ValueError
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*"))] == ["results", "results/one"]


def test_an_error_names_the_file_that_the_user_knows(tmp_path: Path) -> None:
    with full_disk(10), pytest.raises(OSError) as first, whole_file(tmp_path / "notes") as partial:
        partial.write_text("x" * 100)
    assert (first.value.filename, first.value.errno) == (str(tmp_path / "notes"), errno.EFBIG)
    assert first.value.strerror == os.strerror(errno.EFBIG)
    with pytest.raises(FileNotFoundError) as second, whole_folder(tmp_path / "results") as partial:
        (partial / "absent" / "file").write_text("x")
    assert second.value.filename == str(tmp_path / "results" / "absent" / "file")
    with pytest.raises(FileNotFoundError) as third, whole_file(tmp_path / "copy"):
        (tmp_path / "source").read_text()
    assert third.value.filename == str(tmp_path / "source")
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError) as fourth, whole_file(tmp_path / "file" / "inside"):
        pass
    assert fourth.value.filename == str(tmp_path / "file")


def test_what_is_of_another_kind_stays(tmp_path: Path) -> None:
    folder, file, pipe = tmp_path / "folder", tmp_path / "file", tmp_path / "pipe"
    (folder / "inside").mkdir(parents=True)
    file.write_text("one")
    os.mkfifo(pipe)
    for whole, path in ((whole_file, folder), (whole_folder, file), (whole_file, pipe), (whole_folder, pipe)):
        with pytest.raises(OSError) as error, whole(path):
            raise AssertionError("nothing could be written")
        assert error.value.filename == str(path)
    assert (folder / "inside").is_dir() and file.read_text() == "one" and pipe.is_fifo()
    assert len(list(tmp_path.iterdir())) == 3


def test_a_place_is_tried_without_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("one")
    check_place(file)
    check_place(tmp_path)
    check_place(tmp_path / "new" / "folder" / "thing")
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(OSError) as error:
        check_place(file / "inside")
    assert error.value.filename == str(file)
    if os.path.isdir("/sys"):
        with pytest.raises(OSError) as error:
            check_place(Path("/sys/tilegpu"))
        assert error.value.filename == "/sys/tilegpu"


def test_a_trace_that_cannot_be_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        with pytest.raises(PermissionError) as error:
            TraceWriter(tmp_path / "new" / "a.trace")
    assert error.value.filename == str(tmp_path / "new" / "a.trace")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("calls", [1, 100])
def test_a_trace_that_has_no_room(tmp_path: Path, calls: int) -> None:
    noise = Call(0, Signature("glBufferData", ("data",)), [os.urandom(1 << 15)])
    with full_disk(1000), pytest.raises(OSError) as error, TraceWriter(tmp_path / "new" / "a.trace") as writer:
        for _ in range(calls):
            writer.write(noise)
    assert error.value.filename == str(tmp_path / "new" / "a.trace")
    assert list(tmp_path.iterdir()) == []
