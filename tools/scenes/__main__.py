"""Record the bundled scenes into a folder."""

import sys
from pathlib import Path

from . import courtyard, sprites

if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    courtyard.record(folder / "courtyard.trace")
    sprites.record(folder / "sprites.trace")
