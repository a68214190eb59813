"""Declaration of a kind of caches: its sizes, statistics and structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.statistics import Stat, ratio, total
from tilegpu.timing.declare.structures import (
    Structure,
    once,
)
from tilegpu.timing.declare.structures import cache as array

from .sources import SOURCES

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


OCCUPANCIES = 4
"""Classes of the share of MSHRs in use that misses are counted by."""
COUNTERS = (
    ("accesses", "requests looked up"),
    ("read_hits", "reads that hit"),
    ("read_misses", "reads that missed"),
    ("write_hits", "writes that hit"),
    ("write_misses", "writes that missed"),
    ("merges", "requests that joined a miss under way"),
    ("prefetches", "prefetches that did not join a miss"),
    ("fills", "lines brought in from below"),
    ("write_backs", "dirty lines written below"),
    ("write_throughs", "writes passed on below: all of a write-through cache, those that miss of a write-around one"),
    ("forgotten", "lines dropped because memory was written past the caches, or they are dead"),
    ("bank_conflicts", "requests that had to wait because another took the bank, once per cycle"),
)


@dataclass(frozen=True)
class CacheKind:
    """A kind of caches.

    Parameters
    ----------
    name
        Section of the configuration; statistics are `memory.<name>.…`.
    unit
        Part of the machine that its energy is counted with.
    count
        How many there are.
    width_bits
        Bits that an access moves.
    accesses_per_fill
        Writes that a line takes which comes from below.
    accesses_per_request
        Words that a request reads or writes.
    misses_of
        Sources of requests whose misses are counted separately.
    mpki
        Of which misses there are statistics per 1000 instructions, if any: `misses` or `misses.<source>`.
    sequential
        Whether a cache of these sizes looks up tags before data.
    default
        Its section, unless a configuration says something else; None where it is part of another (`section`).
    section
        `section(configuration)`: its sizes, where they are part of another section.
    last_level
        Whether main memory is behind it.
    """

    name: str
    unit: str
    count: Callable[[Any], int] = once
    width_bits: int = 512
    accesses_per_fill: int = 1
    accesses_per_request: int = 1
    misses_of: tuple[str, ...] = ()
    mpki: str = ""
    sequential: Callable[[Cache], bool] = field(default=lambda spec: False)
    default: Cache | None = None
    section: Callable[[Any], Cache] | None = None
    last_level: bool = False

    def spec(self, configuration: Hardware) -> Cache:
        """Sizes of caches of this kind."""
        spec: Cache = configuration.cache(self.name) if self.section is None else self.section(configuration)
        return spec

    @property
    def statistics(self) -> tuple[Stat, ...]:
        """Counters (paths are in a cache's record, summed over those of the kind) and what derives from them."""
        return tuple(self._statistics())

    def _statistics(self) -> Iterator[Stat]:
        kind, name = self.name, f"memory.{self.name}"
        for counter, what in COUNTERS:
            yield Stat(f"{name}.{counter}", "requests", f"{kind}: {what}", counter)
        for i in range(OCCUPANCIES if self.last_level else 0):
            most = 100 * (i + 1) // OCCUPANCIES
            what = f"lines asked for below while up to {most} % of the MSHRs are in use, and more than {most - 25} %"
            yield Stat(f"{name}.asked_up_to_{most}", "requests", f"{kind}: {what}", f"asked_at[{i}]")
        for way, what in (("hits", "hit"), ("misses", "missed")):
            parts = f"{name}.read_{way}", f"{name}.write_{way}"
            yield total(f"{name}.{way}", "requests", f"{kind}: reads and writes that {what}", *parts)
        yield Stat(
            f"{name}.hit_rate",
            "ratio",
            f"{kind}: share of accesses that hit",
            "",
            f"({name}.read_hits + {name}.write_hits) / {name}.accesses",
            lambda v: (v[f"{name}.read_hits"] + v[f"{name}.write_hits"]) / max(1, v[f"{name}.accesses"]),
        )
        for source in self.misses_of:
            yield Stat(
                f"{name}.misses.{source}",
                "requests",
                f"{kind}: misses of requests for {source.replace('_', ' ')}, prefetches among them",
                f"source_misses[{SOURCES.index(source)}]",
            )
        if self.mpki:
            yield ratio(
                f"{name}.mpki",
                "misses/1000 instructions",
                f"{kind}: {'misses for texels' if self.mpki == 'misses.texture' else 'misses'} per 1000 instructions "
                "issued for quads (Fig. 5.9, 6.8)",
                f"{name}.{self.mpki}",
                "fragment.processor.instructions",
                1000.0,
            )

    @property
    def structure(self) -> Structure:
        """Structure for the energy model: look-ups that read; those that write, and lines filled."""
        name = f"memory.{self.name}"

        def writes(v: Any) -> float:
            lookups: float = v[f"{name}.write_hits"] + v[f"{name}.write_misses"]
            fills: float = v[f"{name}.fills"]
            return lookups * self.accesses_per_request + fills * self.accesses_per_fill

        def reads(v: Any) -> float:
            lookups: float = v[f"{name}.accesses"] - v[f"{name}.write_hits"] - v[f"{name}.write_misses"]
            return lookups * self.accesses_per_request

        def geometry(c: Hardware) -> Any:
            spec = self.spec(c)
            return array(spec, self.width_bits, self.sequential(spec), self.last_level)

        return Structure(
            self.name,
            self.unit,
            self.count,
            geometry,
            reads,
            writes,
        )
