"""Job manager: how draws reach GPUs that read a chain of jobs, as Arm's do from Midgard to the first Valhall.

A draw is a job in memory that points to descriptors (state, arrays, constants). These are read level by level, each
when the one before has arrived. Jobs that bin primitives depend on each other: one begins when the one before is over.
At the end of a chain, after the geometry and after the tiles of a pass, changed lines of all caches are written to
memory, a line per cache and cycle, and all lines are dropped. Between chains the driver may have its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import MAX_CACHES, NEVER, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine.account import BUSY, IDLE, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.unit import Unit
from ..memory.lines import drop_line
from . import command_processor, tile_fetcher
from .cache_flush import write_line
from .command_processor import CommandProcessorParameters
from .tile_fetcher import TileFetcherParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from .command_processor import CommandProcessor
    from .tile_fetcher import TileFetcher

RESTS, FIRST_LEVEL, LAST_LEVEL, PAUSE, CLEAN = range(5)
L2 = 0
"""Place of the L2 among the caches."""


class ChainEnd(Accounted):
    """Registers of the unit that ends a chain. `cleans`: whether it cleans caches; `place`: how far the lines of each
    cache are looked through; `tile`: of its writes, none; `pause`: cycles until the next chain may begin, `until`: when
    they are over, NEVER as long as that is unknown."""

    id: i8
    cleans: i8
    pause: i8
    until: i8
    state: i8
    tile: i8
    place: Rows[i8] = room(MAX_CACHES)
    chains: i8
    lines: i8


@unit
def tick(gpu: Gpu, t: int) -> int:
    end: ChainEnd = gpu.chain_end
    account(end, t)
    end.cause = IDLE
    if end.state in (RESTS, CLEAN):
        return NEVER
    end.cause = BUSY
    if end.state == FIRST_LEVEL:
        done = True
        for k in range(L2 + 1, gpu.caches):
            done &= write_line(gpu, end, k, t)
        if done:
            end.state = LAST_LEVEL
    elif end.state == LAST_LEVEL and write_line(gpu, end, L2, t):
        drop_all(gpu)
        end.state = PAUSE
    if end.state == PAUSE:
        return pause(gpu, end, t)
    return t + 1


@inline
def pause(gpu: Gpu, end: ChainEnd, t: int) -> int:
    """Let the cycles pass that no cache works in."""
    if end.until == NEVER:
        end.until = t + end.pause
    if end.until > t:
        return int(end.until)
    end.until = NEVER
    end.state = CLEAN
    end.chains += 1
    wake(gpu, gpu.signal.progress)
    return t + 1


@unit
def drop_all(gpu: Gpu) -> None:
    """Invalidate all lines of all caches."""
    for k in range(gpu.caches):
        cache: Cache = gpu.cache[k]
        for place in range(cache.first_line, cache.first_line + (cache.set_mask + 1) * cache.ways):
            if gpu.line.used[place] != 0:
                drop_line(gpu, cache, place)


@inline
def chain_ended(gpu: Gpu) -> bool:
    """Whether a chain has ended, which begins with the first question."""
    end: ChainEnd = gpu.chain_end
    if end.cleans == 0 and end.pause == 0:
        return True
    if end.state == CLEAN:
        end.state = RESTS
        return True
    if end.state == RESTS:
        end.state = FIRST_LEVEL if end.cleans != 0 else PAUSE
        for k in range(gpu.caches):
            end.place[k] = 0
        poke(gpu, end.id)
    return False


class JobManagerParameters(Group, section="job_manager"):
    """Job manager of GPUs that read their draws as a chain of jobs."""

    descriptor_levels: int = number(
        0,
        "levels",
        "reads that follow each other between that of a draw's commands and its first vertex: of descriptors that the "
        "commands point to, then of those that these point to",
        0,
        3,
    )
    descriptor_bytes: int = number(
        256,
        "bytes",
        "descriptors of a draw on each level; constants uploaded for it come with the first level",
        1,
        1 << 16,
        silent=(128, 512),
    )
    tile_levels: int = number(
        0,
        "levels",
        "reads that follow each other before the attributes of a draw's first primitive in a tile: of its commands, "
        "which say how fragments are drawn, then of descriptors",
        0,
        3,
    )
    tile_level_bytes: int = number(
        128, "bytes", "commands or descriptors of a draw that are read for a tile on each level", 1, 1 << 16
    )
    order: str = choice(
        "overlapping",
        {
            "overlapping": "when the Vertex Fetcher has room",
            "dependent": "when all primitives of the draw before are binned",
        },
        "when a draw of a pass begins whose commands are read",
    )
    read_ahead: str = choice(
        "job",
        {
            "nothing": "nothing",
            "job": "its commands",
            "descriptors": "its commands and descriptors",
        },
        "what is read of a draw while the draw before, on which it depends, is not over",
        silent=("nothing", "descriptors"),
    )
    chain_ends: str = choice(
        "keep",
        {
            "keep": "caches keep their lines",
            "clean": "all caches write their changed lines to memory, and drop all",
        },
        "what happens at the end of a pass's geometry and at the end of its tiles",
    )
    job_cycles: int = number(
        0,
        "cycles",
        "between the last read of a draw's commands and descriptors and its first vertex: the job before writes its "
        "status, what depends on it is looked up, this one begins",
        0,
        1 << 20,
        silent=(0, 1000),
    )
    chain_cycles: int = number(
        0,
        "cycles",
        "between the end of a chain and the beginning of the next: the processor is interrupted, its driver hands the "
        "next chain over",
        0,
        1 << 24,
        silent=(0, 50000),
    )


def levels_of(configuration: Hardware) -> tuple[int, int]:
    """Levels of descriptors and bytes of each; none on machines without a job manager."""
    parameters: Any = getattr(configuration, JobManagerParameters.section, None)
    return (0, 0) if parameters is None else (parameters.descriptor_levels, parameters.descriptor_bytes)


def setup(chip: Chip, processor: CommandProcessor, place: tuple[int, ...]) -> None:
    """Set up a Command Processor that is a job manager."""
    command_processor.setup(chip, processor, place)
    spec = chip.configuration.of(JobManagerParameters)
    processor.levels, processor.level_bytes = spec.descriptor_levels, spec.descriptor_bytes
    processor.job_cycles = spec.job_cycles
    if spec.order == "dependent":
        levels = {"nothing": 0, "job": 1, "descriptors": spec.descriptor_levels + 1}
        processor.waits_at = levels[spec.read_ahead]


def setup_tiles(chip: Chip, fetcher: TileFetcher, place: tuple[int, ...]) -> None:
    """Set up a Tile Fetcher that reads descriptors of draws."""
    tile_fetcher.setup(chip, fetcher, place)
    spec = chip.configuration.of(JobManagerParameters)
    fetcher.levels, fetcher.level_bytes = spec.tile_levels, spec.tile_level_bytes
    fetcher.job_bytes = chip.configuration.of(CommandProcessorParameters).draw_command_bytes


def setup_end(chip: Chip, end: ChainEnd, place: tuple[int, ...]) -> None:
    """Nothing to clean yet."""
    spec = chip.configuration.of(JobManagerParameters)
    end.cleans, end.pause, end.until = spec.chain_ends == "clean", spec.chain_cycles, NEVER
    end.tile, end.cause = -1, IDLE


PARAMETERS = (CommandProcessorParameters, JobManagerParameters)
TILE_PARAMETERS = (TileFetcherParameters, JobManagerParameters)

UNIT = Unit(
    "chain_end",
    __name__,
    ChainEnd,
    tick,
    setup=setup_end,
    reason="bandwidth",
    marks=("lines", "chains"),
    stands=lambda end: ("", "writes lines of first-level caches", "writes lines of the L2", "waits for the driver", "")[
        int(end.state)
    ],
    statistics=(
        Stat(
            "gpu.chain_end.chains",
            "chains",
            "chains of jobs that ended with clean caches or with the driver",
            "chains",
        ),
        Stat("gpu.chain_end.lines", "requests", "lines that caches wrote then", "lines"),
        *spent("gpu.chain_end", "the cleaning of caches"),
    ),
)
