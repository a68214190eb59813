"""What kernels cost to make, and what threads bring: part of `make bench`."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from tilegpu.functional.compile import cache_folder
from tilegpu.functional.execute.backend import Interpolation
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.execute.kernel_arguments import FLAT_TARGETS, TexelFormat, TextureKind
from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.glsl import LinkedProgram
from tilegpu.functional.pipeline.command import DrawCommand
from tilegpu.functional.pipeline.draw import Outcome, Renderer
from tilegpu.functional.player import Player

FULL_SCREEN = ("effect2d_blur5_360p", "courtyard")
FRAMES = 10


class _Noting:
    """Renders, and notes the programs that draw."""

    def __init__(self) -> None:
        self.renderer = Renderer(choose_backend()[0])
        self.programs: dict[int, LinkedProgram] = {}

    def run(self, draw: DrawCommand, sink: None) -> Outcome:
        self.programs.setdefault(id(draw.state.program), draw.state.program)
        return self.renderer.run(draw, sink)


def programs(traces: Sequence[Path]) -> list[LinkedProgram]:
    """All programs that the first two frames of the traces draw with."""
    found: list[LinkedProgram] = []
    for trace in traces:
        noting = _Noting()
        list(Player(trace, FrameRange(0, 2), renderer=noting).run())
        found += noting.programs.values()
    return found


def usual_kind(target: str) -> TextureKind:
    """What a sampler of a program usually samples: bytes, or depths that are compared."""
    shadow = target.startswith("shadow_")
    shape = target.removeprefix("shadow_").replace("external", "2d")
    texels = TexelFormat.FLOATS if shadow else TexelFormat.BYTES
    return TextureKind(shape, texels, compared=shadow, deep=target not in FLAT_TARGETS)


def first_uses(traces: Sequence[Path]) -> list[float]:
    """CPU milliseconds to get the code of each program, from the cache or not."""
    backend, found = LlvmBackend(), programs(traces)
    if os.environ.get("TILEGPU_BENCH_COLD"):
        shutil.rmtree(cache_folder("shaders"))
        cache_folder("shaders")
    times = []
    for program in found:
        flat, straight = program.slots("flat"), program.slots("noperspective")
        start = time.process_time()
        kernel = backend.fragment_kernel(program.fragment, Interpolation(flat, straight, 3))
        for sampler in program.fragment.samplers:
            if not isinstance(kernel, str):
                kernel.texture_unit(usual_kind(sampler.target))
        backend.vertex_kernel(program.vertex)
        times.append(1000 * (time.process_time() - start))
    return times


def compiling(traces: Sequence[Path], say: Callable[[str], None]) -> None:
    """First use of programs, in a cache of their own."""
    with tempfile.TemporaryDirectory() as cache:
        for state in ("to fill the cache", "not yet compiled", "from the cache"):
            environment = {**os.environ, "XDG_CACHE_HOME": cache}
            if state == "not yet compiled":
                environment["TILEGPU_BENCH_COLD"] = "1"
            command = [sys.executable, "-m", "tests.bench.kernels", *map(str, traces)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            times = [float(line) for line in done.stdout.split()]
            if state != "to fill the cache":
                say(
                    f"first use of a program, {state}: median {statistics.median(times):.1f} ms of CPU time, "
                    f"at most {max(times):.1f} ({len(times)} programs)"
                )


def frames_seconds(trace: Path, jobs: int) -> float:
    """Least wall seconds of a frame's draws."""
    player = Player(trace, FrameRange(0, FRAMES), jobs=jobs)
    clock, times = time.perf_counter(), []
    for _ in player.run():
        times.append(time.perf_counter() - clock)
        clock = time.perf_counter()
    return statistics.median(times[1:])


def threads(traces: Sequence[Path], say: Callable[[str], None]) -> None:
    """Two threads beside one on scenes that fill the screen; means something on two free processors only."""
    for trace in traces:
        if trace.stem in FULL_SCREEN:
            frames_seconds(trace, 2)
            one, two = (min(frames_seconds(trace, jobs) for _ in range(5)) for jobs in (1, 2))
            say(f"{trace.stem}: {1000 * one:.1f} ms per frame on one thread, {one / two:.2f} times as fast on two")


def main(traces: Sequence[Path], say: Callable[[str], None]) -> None:
    """Both."""
    compiling(traces, say)
    threads(traces, say)


if __name__ == "__main__":
    console = Console(highlight=False, width=140)
    for milliseconds in first_uses([Path(name) for name in sys.argv[1:]]):
        console.print(f"{milliseconds:.3f}")
