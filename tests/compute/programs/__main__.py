"""Record the compute programs into a folder."""

import sys
from pathlib import Path

from .catalogue import PROGRAMS

if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for name, program in PROGRAMS.items():
        program.record(folder / f"{name}.trace")
