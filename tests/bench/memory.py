"""The GPU on the simple memory and on the controller's: `python -m tests.bench.memory [scene ...]`.

For every bundled scene, captured application and model of a game of the thesis, two frames after one that warms the
caches, on `ptr-2022`. Prints the table of docs/dram.md.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tilegpu.timing import Configuration, load_configuration

from .scenes import loaded, row, run, scenes

MEMORIES = load_configuration("ptr-2022", ["dram=simple"]), load_configuration("ptr-2022")


def gigabytes_a_second(found: dict[str, float], configuration: Configuration) -> float:
    """What the GPU reads and writes, in the time that it takes."""
    seconds = found["gpu.cycles"] * configuration.clocks.gpu_divisor / (configuration.clocks.gpu_mhz * 1e6)
    return found["memory.dram.gpu.bytes"] / seconds / 1e9


def main(chosen: list[str]) -> None:
    row("scene", *("cycles", "rate", "row hits", "latency") * 2)
    row(*["---"] * 9)
    with tempfile.TemporaryDirectory() as name:
        for scene in scenes(chosen):
            cells = []
            for configuration in MEMORIES:
                found = run(configuration, loaded(scene, Path(name), configuration))
                cells += [
                    f"{found['gpu.cycles']:,.0f}",
                    f"{gigabytes_a_second(found, configuration):.2f}",
                    f"{found['memory.dram.row_hit_rate']:.2f}",
                    f"{found['memory.dram.read_cycles'] / found['memory.dram.reads']:.0f}"
                    if found["memory.dram.reads"]
                    else "",
                ]
            row(scene.name, *cells)


if __name__ == "__main__":
    main(sys.argv[1:])
