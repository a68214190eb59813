"""Readings that all studies on TEAPOT's machine of 2018 and 2019 share (docs/model/teapot.md)."""

from __future__ import annotations

from .declare import Reading

A_QUAD = ("fragment_stage.issue_cycles=1", "vertex_stage.issue_cycles=1")
ANSWERED = ("tile_fetcher.attribute_requests=answered",)

FETCHING_AND_WIDTH = (
    Reading("a quad per cycle and processor", A_QUAD),
    Reading("each request when the last is answered", ANSWERED),
    Reading("both", (*A_QUAD, *ANSWERED)),
    Reading("a tile when the last is rendered", ("tile_fetcher.next_tile=rendered",)),
)
FIXED_LATENCIES = Reading("fixed latencies, 1.6 GB per second", ("dram.model=simple", "dram.bytes_per_memory_cycle=4"))
