"""Collisions from rendering: de Lucas' thesis of 2018, chapter 5.

The rules follow the thesis' words. Against the CPU orders of magnitude count: a figure is met within ten times, up or
down. What rises by some per cent is to rise by half to twice as much; bounds stand as they are.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Reading, Readings, Study, other_seeds
from ...teapot import FETCHING_AND_WIDTH, FIXED_LATENCIES, PARAMETER_BUFFER, other_machine
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .judgement import BASELINE, CAUSES, HEADLINES, UNDECIDABLE
from .measures import BASE, HEADLINE, LENGTHS, MACHINES, TWINS, ZEBS

STUDY = Study(
    name="rbcd-2018",
    title="Render-Based Collision Detection",
    source="de Lucas, PhD thesis, UPC 2018, chapter 5",
    workloads=TWINS,
    # No captured application says which of its objects collide.
    applications=(),
    # Table 5.1.
    screen=(800, 480),
    frames=Frames((), (5, 15, 25, 35, 45, 55), before=1),
    quick_frames=Frames((), (20, 40), before=1),
    experiments=(Experiment(MACHINES), Experiment(LENGTHS)),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    baseline=BASELINE,
    beside=other_machine((BASE, *ZEBS.values())),
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    level="all",
    groups=frozenset({"inputs"}),
    readings=Readings(
        (BASE, ZEBS[2]),
        TWINS,
        HEADLINE,
        (
            *FETCHING_AND_WIDTH,
            Reading("the Tile Fetcher of 2022", ("tile_fetcher.primitive_table=16",)),
            *PARAMETER_BUFFER,
            FIXED_LATENCIES,
            *other_seeds(TWINS),
        ),
    ),
)
