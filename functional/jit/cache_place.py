"""Where caches are: in folders that belong to the user alone, as compiled code and pickles are read from them."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path


def cache_folder(key: str) -> Path:
    """Folder for compiled code, which the user owns.

    Under XDG_CACHE_HOME or ~/.cache; where that cannot be written or is another user's, in the user's own folder of the
    system's temporary one; where someone else has made that, in a new one that ends with the process.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    shared = Path(tempfile.gettempdir())
    for place, private in ((home / "tilegpu", False), (shared / f"tilegpu-{_user()}", True)):
        folder = place / key
        try:
            place.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
            if not _is_own(place, private):
                continue
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return _of_this_process() / key


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _is_own(folder: Path, private: bool) -> bool:
    """Whether a folder is the user's; `private`: and no link, and no one else may write it."""
    if not hasattr(os, "geteuid"):  # Windows, whose temporary folder is each user's own.
        return True
    found = folder.lstat() if private else folder.stat()
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == _user()
    return own and not (private and found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


@cache
def _of_this_process() -> Path:
    folder = tempfile.mkdtemp(prefix="tilegpu-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
