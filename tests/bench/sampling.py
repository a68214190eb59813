"""CPU time of sampling a long capture and of recording and replaying all of it, verb by verb, and errors of the totals.

`python -m tests.bench.sampling 000-how+session --scale 0.4 --frames 300 --budget 20`, or with a capture instead of a
workload's name; takes as long as the whole. With `--every N`, only each N-th frame of the whole is replayed, and the
time of all is estimated from these; errors are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tilegpu.tools.sampling.plan import Cluster, read_plan, write_plan
from tilegpu.tools.sampling.totals import measures_in

PROGRAM = str(Path(sys.executable).with_name("tilegpu"))


def cpu_seconds(*command: object) -> float:
    """CPU time of a command with all processes that it starts."""
    before = _spent()
    # Modules are compiled once, as where they are installed, and not by every verb.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([PROGRAM, *map(str, command)], check=True, capture_output=True, env=environment)
    return _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure a workload or capture and print a line per verb and total."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workload", help="a workload's name, or a .trace file")
    parser.add_argument("--scale", type=float, default=0.4)
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--config", default="ptr-2022")
    parser.add_argument("--every", type=int, default=1, help="replay each N-th frame of the whole, and estimate")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trace, plan = Path(given.workload), folder / "plan.json"
        if not trace.is_file():
            trace = folder / "game.trace"
            size = "--scale", given.scale, "--frames", given.frames
            cpu_seconds("workloads", "make", given.workload, *size, "-o", trace)
        sampled: dict[str, tuple[object, ...]] = {
            "characterize": ("characterize", trace, "-o", folder / "counts"),
            "sample": ("sample", folder / "counts", "-o", plan, "--vector", "rich", "--budget", given.budget),
            "trace --plan": ("trace", trace, "--plan", plan, "-o", folder / "some", "-j", 1),
            "replay --plan": (
                "replay", folder / "some", "--plan", plan, "--config", given.config, "-o", folder / "sampled",
            ),
        }  # fmt: skip
        whole: dict[str, tuple[object, ...]] = {
            "trace": ("trace", trace, "-o", folder / "all", "-j", 1),
            "replay": ("replay", folder / "all", "--config", given.config, "-o", folder / "results"),
        }
        # Engine and kernels are compiled before anything is measured.
        cpu_seconds("characterize", trace, "-o", folder / "few", "--frames", "0:3")
        cpu_seconds("trace", trace, "-o", folder / "first", "--frames", "0:2")
        cpu_seconds("replay", folder / "first", "--config", given.config)
        if given.every > 1:
            del whole["replay"]
        spent = [sum(_timed(commands)) for commands in (sampled, whole)]
        if given.every > 1:
            spent[1] += _estimated_replay(folder, given.config, given.every)
        else:
            _print_errors(folder / "sampled", folder / "results")
    print(f"sampled {spent[0]:.1f} s, whole {spent[1]:.1f} s: {spent[1] / spent[0]:.1f}x")


def _estimated_replay(folder: Path, config: str, every: int) -> float:
    """CPU time of replaying all frames, from each `every`-th one; what a replay of one frame takes counts once."""
    plan = read_plan(folder / "plan.json")
    frames = len(plan.cluster_of_frame)
    chosen = range(plan.first_frame + every // 2, plan.first_frame + frames, every)
    one = Cluster(frames=frames, chosen=tuple(chosen), spread=0.0)
    # What replayed frames use first is known of the plan's frames only.
    these = {"clusters": (one,), "cluster_of_frame": (0,) * frames, "first_uses": {}}
    write_plan(plan.model_copy(update=these), folder / "every.json")
    options = "--plan", folder / "every.json", "--warm-up", 0, "--config", config
    start = cpu_seconds("replay", folder / "all", "--config", config, "--frames", chosen[0])
    few = cpu_seconds("replay", folder / "all", *options)
    spent = start + (few - start) / (len(chosen) - 1) * (frames - 1)
    print(f"{'replay':14} {spent:8.1f} s, estimated from {len(chosen)} frames, which took {few:.1f} s", flush=True)
    return spent


def _print_errors(sampled: Path, whole: Path) -> None:
    """Totals by the plan beside the sums of all frames."""
    every = measures_in(whole).values()
    for name, total in json.loads((sampled / "totals.json").read_text())["totals"].items():
        value = sum(frame[name] for frame in every)
        print(f"{name:14} {100 * (total['value'] / value - 1):+8.2f} %")


def _timed(commands: dict[str, tuple[object, ...]]) -> list[float]:
    found = []
    for name, command in commands.items():
        found.append(cpu_seconds(*command))
        print(f"{name:14} {found[-1]:8.1f} s", flush=True)
    return found


if __name__ == "__main__":
    main()
