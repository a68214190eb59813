"""Rendering Elimination: HPCA 2019, section V.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from tilegpu.tools.workloads.measure import MOMENTS

from ...declare import Experiment, Frames, Reading, Readings, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .measures import APPLICATIONS, BASE, HEADLINE, MACHINES, RE, READ, TWINS

A_QUAD = ("fragment_stage.issue_cycles=1", "vertex_stage.issue_cycles=1")
ANSWERED = ("tile_fetcher.attribute_requests=answered",)

STUDY = Study(
    name="re-2019",
    title="Rendering Elimination, beside Transaction Elimination and Fragment Memoization",
    source="Anglada et al., HPCA 2019",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # Phases of standing still and moving have their share; each after the two whose frame buffers it and the next have.
    frames=Frames((), MOMENTS, before=2),
    quick_frames=Frames((), MOMENTS[::4], before=2),
    experiments=(Experiment(MACHINES),),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    groups=frozenset({"pass_images"}),
    check_images=True,
    readings=Readings(
        (BASE, RE),
        READ,
        HEADLINE,
        (
            Reading("a quad per cycle and processor", A_QUAD),
            Reading("each request when the last is answered", ANSWERED),
            Reading("both", (*A_QUAD, *ANSWERED)),
            Reading("a tile when the last is rendered", ("tile_fetcher.next_tile=rendered",)),
            Reading("fixed latencies, 1.6 GB per second", ("dram.model=simple", "dram.bytes_per_memory_cycle=4")),
            Reading("the letter of Algorithm 3", ("technique.rendering_elimination.accumulate=subblock",)),
        ),
    ),
)
