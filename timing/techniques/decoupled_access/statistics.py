"""Statistics of decoupled access, and the structures that it adds to the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import FlipFlops, Logic, Ram
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import FRAGMENT, Structure, stat, units
from tilegpu.timing.declare.structures import cache as array

from .parameters import Parameters
from .state import NAME

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


TAG_BITS = 24

PER_QUEUE = (
    *(
        Stat(f"{NAME}.{name}", unit, what, name)
        for name, unit, what in (
            ("quads", "quads", "quads whose addresses went to a prefetch queue"),
            ("unseen_quads", "quads", "quads that found no room to wait for that"),
            ("known_operations", "operations", "texture operations whose addresses were known"),
            ("lost_operations", "operations", "those whose were not: loss of decoupling (3.2)"),
            ("requests", "requests", "requests looked up"),
            ("hits", "requests", "those that found their line"),
            ("merges", "requests", "those whose line was on its way"),
            ("misses", "requests", "those that missed"),
            (
                "in_other_cache",
                "requests",
                "those that missed, and whose line another first-level cache held or awaited (3.4)",
            ),
            ("issued", "lines", "lines asked for, below or in another first-level cache"),
            ("predicted", "lines", "lines asked for in another first-level cache"),
            ("remote_answers", "lines", "lines that came from there"),
            ("remote_refusals", "lines", "lines that had to come from the L2 instead"),
            ("comparisons", "comparisons", "addresses compared with a new one"),
        )
    ),
    ratio(f"{NAME}.miss_share", "ratio", "share of requests that missed (3.4)", f"{NAME}.misses", f"{NAME}.requests"),
    ratio(
        f"{NAME}.shared_share",
        "ratio",
        "share of these whose line another first-level cache held or awaited (3.4)",
        f"{NAME}.in_other_cache",
        f"{NAME}.misses",
    ),
)

STATISTICS = (
    *(
        Stat(f"{NAME}.{name}", unit, what, name)
        for name, unit, what in (
            ("useful", "lines", "prefetched lines that were asked for when they were here"),
            ("late", "lines", "prefetched lines that were asked for while they were on their way"),
            ("useless", "lines", "prefetched lines that gave way before anybody asked for them"),
            ("demand_misses", "requests", "accesses that missed, and whose line was not on its way"),
        )
    ),
    ratio(
        f"{NAME}.useless_share",
        "ratio",
        "share of the prefetched lines that gave way before anybody asked for them (Fig. 7)",
        f"{NAME}.useless",
        f"{NAME}.issued",
    ),
)


def _own(c: Hardware) -> Any:
    return c.of(Parameters)


def _largest(c: Hardware) -> Any:
    return max(c.cache("texture_cache"), c.cache("color_cache"), key=lambda spec: spec.size_bytes)


def _tags(c: Hardware) -> Ram:
    spec = _largest(c)
    return Ram(max(1, spec.size_bytes // c.memory.line_bytes // spec.ways), TAG_BITS * spec.ways)


def _none(c: Hardware) -> int:
    """Accesses to what is counted elsewhere."""
    return 0


STRUCTURES = (
    Structure(
        "decoupled_access.prefetch_queue",
        FRAGMENT,
        units,
        lambda c: FlipFlops(_own(c).queue * _own(c).entry_bits, _own(c).entry_bits),
        stat(f"{NAME}.requests"),
        stat(f"{NAME}.requests"),
    ),
    # 8 of a comparator's 32 bits.
    Structure(
        "decoupled_access.source_search",
        FRAGMENT,
        units,
        lambda c: Logic("comparator", _own(c).queue * _own(c).source_bits / 32, _own(c).source_bits / 32),
        stat(f"{NAME}.comparisons"),
    ),
    Structure(
        "decoupled_access.tag_lookups",
        FRAGMENT,
        _none,
        _tags,
        lambda v: v[f"{NAME}.requests"] + v[f"{NAME}.predicted"],
    ),
    Structure(
        "decoupled_access.remote_reads",
        FRAGMENT,
        _none,
        lambda c: array(_largest(c), 512),
        stat(f"{NAME}.remote_answers"),
    ),
)
