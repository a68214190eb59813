"""Exports of RenderDoc captures: as they are, or made of an `.rdc` with RenderDoc's own `renderdoccmd`."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...capture.call import CaptureError
from .chunks import Export

COMMAND = "renderdoccmd"
MAX_SECONDS = 600


@contextmanager
def exported(path: Path) -> Iterator[Export]:
    """The export of a capture, which goes with the context if it had to be made.

    Raises
    ------
    CaptureError
        An `.rdc` cannot be converted, or nothing here converts it.
    """
    with path.open("rb") as file:
        binary = file.read(4) == b"RDOC"
    if not binary:
        if not path.name.endswith(".zip.xml"):
            raise CaptureError(f"{path}: an export of RenderDoc keeps the name NAME.zip.xml beside NAME.zip")
        with closing(Export(path)) as export:
            yield export
        return
    command = shutil.which(COMMAND)
    if command is None:
        advice = "install RenderDoc (Debian: apt install renderdoc) or save it there as .zip.xml and import that"
        raise CaptureError(f"{path}: reading an .rdc takes {COMMAND}; {advice}")
    with tempfile.TemporaryDirectory(prefix="tilegpu-") as folder:
        result = Path(folder) / "capture.zip.xml"
        _convert(command, path, result)
        with closing(Export(result, path)) as export:
            yield export


def _convert(command: str, path: Path, result: Path) -> None:
    arguments = [command, "convert", "-f", str(path.absolute()), "-o", str(result), "-c", "zip.xml"]
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=MAX_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CaptureError(f"{path}: {COMMAND} does not convert it: {error}") from None
    if done.returncode or not result.is_file():
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it does not say why"]
        raise CaptureError(f"{path}: {COMMAND} does not convert it: {said[-1][:200]}")
