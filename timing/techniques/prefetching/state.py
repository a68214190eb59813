"""Registers of a prefetcher, and what joins prefetchers to caches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import ConfigurationError
from tilegpu.timing.declare.records import MAX_CACHES, Record, Ring, Rows, i4, i8, room

from ..shared.prefetched_lines import add_mshrs
from .parameters import MAX_DEGREE, MAX_ENTRIES, MAX_HISTORY, MAX_QUEUE, Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.chip import Chip


MAX_PREFETCHERS = 52
"""Texture caches of the Fragment Processors, and Colour and Depth Caches of the machine that has them."""
NAME = "techniques.prefetching"

NOTHING, PERFECT, PREDICTS = range(3)
TRAININGS = ("first_uses", "misses", "accesses")
FIRST_USES, MISSES, ACCESSES = range(len(TRAININGS))
WALKS = ("depth", "width")
DEPTH, WIDTH = range(len(WALKS))


class Entry(Record):
    """Row of a table. `key`: instruction, or distance; `line`: last one, or its number in the history; `line_warp`:
    whose it was; `used`: when last, 0 for empty ones."""

    key: i8
    warp: i8
    line: i8
    line_warp: i8
    stride: i8
    state: i8
    used: i8


class Predicted(Record):
    """Line that a prefetcher is about to ask for."""

    line: i8
    due: i8
    source: i4
    tile: i4


class Prefetcher(Record):
    """Registers of a prefetcher. `prediction`: lines that the last access has let predict; `entries`: of the table of
    strides; `pushed`: lines that went into the history, the next one goes to the place of that number; `link`: number
    of the line before with the same distance, -1 for none; `rest`: periods since anything was prefetched;
    `merge_permille`: share of merges, smoothed; `period_…`: what the period at work has seen; `degrees`: sum over the
    periods."""

    id: i8
    cache: i8
    kind: i8
    predictor: i8
    training: i8
    own_port: i8
    spare_mshrs: i8
    latency: i8
    clock: i8
    degree: i8
    queue: Ring[Predicted] = room(MAX_QUEUE)
    prediction: Rows[i8] = room(MAX_DEGREE)
    predictions: i8
    entries: i8
    stride: Rows[Entry] = room(MAX_ENTRIES)
    index_entries: i8
    index: Rows[Entry] = room(MAX_ENTRIES)
    history_entries: i8
    walk: i8
    pushed: i8
    history: Rows[i8] = room(MAX_HISTORY)
    link: Rows[i8] = room(MAX_HISTORY)
    warp_entries: i8
    warp_stride: Rows[Entry] = room(MAX_ENTRIES)
    global_entries: i8
    global_stride: Rows[Entry] = room(MAX_ENTRIES)
    thread_entries: i8
    inter_thread: Rows[Entry] = room(MAX_ENTRIES)
    promotion_warps: i8
    throttles: i8
    period: i8
    period_end: i8
    low_early: i8
    high_early: i8
    high_merges: i8
    most_degree: i8
    first_degree: i8
    restart_periods: i8
    rest: i8
    merge_permille: i8
    period_lookups: i8
    period_early: i8
    period_useful: i8
    period_merges: i8
    period_requests: i8
    taught: i8
    predicted: i8
    lookups: i8
    issued: i8
    dropped_queue: i8
    dropped_here: i8
    dropped_under_way: i8
    dropped_mshrs: i8
    useful: i8
    late: i8
    useless: i8
    misses: i8
    table_reads: i8
    table_writes: i8
    history_reads: i8
    history_writes: i8
    warp_reads: i8
    warp_writes: i8
    global_hits: i8
    thread_hits: i8
    warp_hits: i8
    promotions: i8
    periods: i8
    degrees: i8
    stops: i8


class State(Record):
    """State of the technique. `of_cache`: number of each cache's prefetcher plus 1, 0 for none."""

    of_cache: Rows[i8] = room(MAX_CACHES)


def kinds_of(c: Hardware) -> tuple[str, ...]:
    """Kinds of caches that have prefetchers."""
    choices = c.of(Parameters).caches.split("+")
    named = {"texture": ("texture_cache",), "color": ("color_cache",), "pixel": ("color_cache", "depth_cache")}
    return tuple(kind for choice in choices for kind in named[choice])


def prefetchers(c: Hardware) -> int:
    """Number of prefetchers: one for each cache of the machine."""
    return sum(c.cache_count(kind) for kind in kinds_of(c))


def caches_of(chip: Chip) -> list[int]:
    """Numbers of the caches that have prefetchers, in the order of these."""
    names = [kind.name for kind in chip.machine.caches]
    missing = [kind for kind in kinds_of(chip.configuration) if kind not in names]
    if missing:
        raise ConfigurationError(
            f"technique.prefetching.caches: the {chip.machine.name} machine has no {missing[0].replace('_', ' ')}"
        )
    types = [names.index(kind) for kind in kinds_of(chip.configuration)]
    return [k for type_ in types for k in range(int(chip.gpu.caches)) if chip.gpu.cache[k].type == type_]


def setup(chip: Chip, state: Any) -> None:
    """Give the caches their prefetchers, and MSHRs for what these fetch."""
    c = chip.configuration.of(Parameters)
    extra = c.queue if c.mshrs == "prefetchers" else 0
    for number, k in enumerate(caches_of(chip)):
        state.of_cache[k] = number + 1
        add_mshrs(chip.gpu.cache[k], extra, "technique.prefetching.queue")
