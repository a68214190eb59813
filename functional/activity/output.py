"""Output that is there when it is whole, or not at all, and what cannot be written told by its name."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class Partial:
    """A file or folder under a temporary name beside its own, until it is whole.

    Parameters
    ----------
    final
        What it will be called; folders on the way are made.
    folder
        Whether it is a folder, which is made.
    mark
        Part of the temporary name, where several processes may write the same.

    Attributes
    ----------
    path
        Where to write.

    Raises
    ------
    OSError
        A folder cannot be made, or something of another kind has the name.
    """

    def __init__(self, final: Path, folder: bool = False, mark: str = "") -> None:
        _check_kind(final, folder)
        self.final = final
        self.path = final.with_name(f".{final.name}{mark}.partial")
        self._made = [parent for parent in final.parents if not parent.exists()]
        try:
            final.parent.mkdir(parents=True, exist_ok=True)
            _remove(self.path)
            if folder:
                self.path.mkdir()
        except OSError as error:
            self.drop()
            raise self.told(error) from None

    def keep(self) -> None:
        """Give it its name; what had the name before is gone."""
        if not self.final.is_dir():
            os.replace(self.path, self.final)
            return
        old = self.final.with_name(f".{self.final.name}.old")
        _remove(old)
        os.replace(self.final, old)
        try:
            os.replace(self.path, self.final)
        except OSError:
            os.replace(old, self.final)
            raise
        _remove(old)

    def drop(self) -> None:
        """Leave nothing, not even folders that were made for it."""
        with suppress(OSError):
            _remove(self.path)
            for folder in self._made:
                folder.rmdir()

    def told(self, error: OSError) -> OSError:
        """The same error with a name that the user knows."""
        error = _named(error, self.final)
        # Of two files, such as of a copy, it is the one that is written.
        for name in (error.filename, error.filename2):
            place = Path(name) if isinstance(name, str | Path) else None
            if place is not None and place.is_relative_to(self.path):
                return OSError(error.errno, error.strerror, str(self.final / place.relative_to(self.path)))
        return error


def check_place(path: Path) -> None:
    """OSError where no file or folder could be written under this name: told before long work, not after it."""
    place = Partial(path, folder=not path.is_file(), mark=f".{os.getpid()}")
    try:
        place.path.touch()
    except OSError as error:
        raise place.told(error) from None
    finally:
        place.drop()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors in here that name no file are about this one."""
    try:
        yield
    except OSError as error:
        raise _named(error, path) from None


def _named(error: OSError, path: Path) -> OSError:
    """The same error with a file's name and a reason of one line, where it has no name."""
    if error.filename is not None:
        return error
    lines = str(error).splitlines() or [type(error).__name__]
    reason = os.strerror(error.errno) if error.errno else lines[0]
    return OSError(error.errno or errno.EIO, reason, str(path))


@contextmanager
def whole_file(path: Path, mark: str = "") -> Iterator[Path]:
    """Where to write a file that gets its name when the block ends; where the block fails, nothing is left.

    Raises
    ------
    OSError
        It cannot be written; names the file and the reason.
    """
    yield from _whole(Partial(path, mark=mark))


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """The same for a folder, which is there and empty when the block begins, and takes the place of an older one."""
    yield from _whole(Partial(path, folder=True))


def _whole(output: Partial) -> Iterator[Path]:
    try:
        yield output.path
        output.keep()
    except OSError as error:
        output.drop()
        raise output.told(error) from None
    except BaseException:
        output.drop()
        raise


def _check_kind(final: Path, folder: bool) -> None:
    """OSError for what must not give way: a folder to a file, a device to either."""
    if not final.exists() or (final.is_dir() if folder else final.is_file()):
        return
    if folder or final.is_dir():
        number = errno.ENOTDIR if folder else errno.EISDIR
        raise OSError(number, os.strerror(number), str(final))
    raise OSError(errno.EINVAL, "is neither a file nor a folder; choose another name", str(final))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
