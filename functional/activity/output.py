"""Output files and folders that appear only when they are complete, with errors that name them."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class Partial:
    """A file or folder under a temporary name next to its final one, until it is complete.

    Parameters
    ----------
    final
        Final path; missing parent folders are created.
    folder
        Whether it is a folder, which is created.
    mark
        Part of the temporary name, for when several processes may write the same output.

    Attributes
    ----------
    path
        Where to write.

    Raises
    ------
    OSError
        A folder cannot be created, or something of another kind has the name.
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
            raise self.renamed(error) from None

    def keep(self) -> None:
        """Give it its final name, replacing what had that name before."""
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
        """Remove it, and the folders that were created for it."""
        with suppress(OSError):
            _remove(self.path)
            for folder in self._made:
                folder.rmdir()

    def renamed(self, error: OSError) -> OSError:
        """The same error with a name that the user recognizes."""
        error = _named(error, self.final)
        # If the error names two files, as for a copy, it is about the one that is written.
        for name in (error.filename, error.filename2):
            place = Path(name) if isinstance(name, str | Path) else None
            if place is not None and place.is_relative_to(self.path):
                return OSError(error.errno, error.strerror, str(self.final / place.relative_to(self.path)))
        return error


def check_place(path: Path) -> None:
    """Raise OSError if no file or folder can be written under this name, to fail before long work, not after it."""
    place = Partial(path, folder=not path.is_file(), mark=f".{os.getpid()}")
    try:
        place.path.touch()
    except OSError as error:
        raise place.renamed(error) from None
    finally:
        place.drop()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name this file in errors of the block that name none."""
    try:
        yield
    except OSError as error:
        raise _named(error, path) from None


def _named(error: OSError, path: Path) -> OSError:
    """The same error, with a file's name and a one-line reason if it has no name."""
    if error.filename is not None:
        return error
    lines = str(error).splitlines() or [type(error).__name__]
    reason = os.strerror(error.errno) if error.errno else lines[0]
    return OSError(error.errno or errno.EIO, reason, str(path))


@contextmanager
def whole_file(path: Path, mark: str = "") -> Iterator[Path]:
    """Path for writing a file that gets its name when the block ends; if the block fails, nothing is left.

    Raises
    ------
    OSError
        It cannot be written; the error names the file and the reason.
    """
    yield from _whole(Partial(path, mark=mark))


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """The same for a folder, which exists and is empty when the block begins, and replaces an older one."""
    yield from _whole(Partial(path, folder=True))


def _whole(output: Partial) -> Iterator[Path]:
    try:
        yield output.path
        output.keep()
    except OSError as error:
        output.drop()
        raise output.renamed(error) from None
    except BaseException:
        output.drop()
        raise


def _check_kind(final: Path, folder: bool) -> None:
    """Raise OSError for what must not be replaced: a folder by a file, or a device by either."""
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
