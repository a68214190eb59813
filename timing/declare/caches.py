"""Configuration of one cache."""

from __future__ import annotations

from pydantic import Field

from tilegpu.functional.errors import UserError

from .parameters import Group, choice, number
from .records import MAX_CACHE_LINES, MAX_MSHRS, MAX_WAITERS


class Cache(Group):
    """Set-associative cache; its section is that of its kind (`memory.kinds`)."""

    size_bytes: int = Field(ge=32, le=1 << 30, description="capacity", json_schema_extra={"unit": "bytes"})
    ways: int = Field(ge=1, le=64, description="lines per set", json_schema_extra={"unit": "lines"})
    banks: int = Field(
        default=1,
        ge=1,
        le=32,
        description="banks, a power of two: one access each per cycle",
        json_schema_extra={"unit": "banks"},
    )
    latency: int = Field(ge=1, le=1000, description="from access to data", json_schema_extra={"unit": "cycles"})
    mshrs: int = number(
        None,
        "lines",
        "lines that can be missing at a time, which only Decoupled Access/Execute gives",
        1,
        MAX_MSHRS,
        silent=(4, 64),
    )
    blocking: str = choice(
        "misses",
        {"misses": "those that miss", "all": "hits as well, as in gem5"},
        "requests that wait while all MSHRs are in use; papers silent",
    )
    waiters: int = number(
        64, "requests", "requests that can wait for missing lines, all lines together", 1, MAX_WAITERS, silent=(16, 256)
    )
    replacement: str = choice(
        "lru",
        {
            "lru": "the least recently used",
            "fifo": "the oldest",
            "plru": "one by a tree of bits",
            "random": "one by chance",
        },
        "line of a set that gives way",
    )
    write: str = choice(
        "back", {"back": "kept until their line gives way", "through": "passed on at once"}, "what becomes of writes"
    )
    write_miss: str = choice(
        "fetch",
        {
            "fetch": "fetch the line",
            "validate": "take the line as it is written, without fetching the rest",
            "around": "only pass it on",
        },
        "what a write that misses does",
    )

    def sets(self, line_bytes: int, name: str) -> int:
        """Number of sets; UserError where size, ways and line do not fit together."""
        sets, rest = divmod(self.size_bytes, self.ways * line_bytes)
        if rest or sets < 1 or sets & (sets - 1):
            raise UserError(
                f"{name}: size_bytes / (ways x line_bytes) must be a power of two, "
                f"not {self.size_bytes} / ({self.ways} x {line_bytes})"
            )
        if self.replacement == "plru" and (self.ways & (self.ways - 1) or self.ways > 32):
            raise UserError(f"{name}: replacement plru needs a power of two of at most 32 ways, not {self.ways}")
        if self.banks & (self.banks - 1):
            raise UserError(f"{name}: banks must be a power of two, not {self.banks}")
        if sets * self.ways > MAX_CACHE_LINES // 2:
            raise UserError(f"{name}: {sets * self.ways} lines, the machine has room for {MAX_CACHE_LINES // 2}")
        return sets
