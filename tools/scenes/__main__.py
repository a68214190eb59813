"""Record the bundled scenes into a folder."""

import sys
from pathlib import Path

from . import board, courtyard, runner, sprites

if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for scene in (board, courtyard, runner, sprites):
        scene.record(folder / f"{scene.__name__.rpartition('.')[2]}.trace")
