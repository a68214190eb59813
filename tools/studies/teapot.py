"""Readings that all studies on TEAPOT's machine of 2018 and 2019 share (docs/model/teapot.md)."""

from __future__ import annotations

from .declare import Beside, Reading

A_QUAD = ("fragment_stage.issue_cycles=1", "vertex_stage.issue_cycles=1")
ANSWERED = ("tile_fetcher.attribute_requests=answered",)

BOTH = Reading("both", (*A_QUAD, *ANSWERED))
FETCHING_AND_WIDTH = (
    Reading("a quad per cycle and processor", A_QUAD),
    Reading("each request when the last is answered", ANSWERED),
    BOTH,
    Reading("a tile when the last is rendered", ("tile_fetcher.next_tile=rendered",)),
)
PARAMETER_BUFFER = (
    Reading("an attribute in one line", ("parameter_buffer.attribute_alignment=line",)),
    Reading("dead lines of the Parameter Buffer dropped", ("parameter_buffer.dead_lines=dropped",)),
)
FIXED_LATENCIES = Reading("fixed latencies, 1.6 GB per second", ("dram.model=simple", "dram.bytes_per_memory_cycle=4"))


def other_machine(machines: tuple[str, ...]) -> Beside:
    """The other machine that the texts describe, beside that of the presets: conclusions that tell the two apart are
    not counted.

    Parameters
    ----------
    machines
        Machines of the study that are run so.
    """
    return Beside(BOTH, machines, "a quad per cycle, answered requests", fork=True)
