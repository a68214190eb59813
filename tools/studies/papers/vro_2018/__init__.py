"""Visibility: de Lucas' thesis of 2018, section 4.5 and appendix A.

The rules follow the thesis' words. Means of time, energy and overshading are to be met within a quarter of the change,
shares and bounds as they stand; where the thesis ranks games, the rank decides.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Reading, Readings, Study, other_seeds
from ...teapot import FETCHING_AND_WIDTH, FIXED_LATENCIES, PARAMETER_BUFFER, other_machine
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .immediate import GAMES, IMMEDIATE, ONE_PROCESSOR
from .judgement import BASELINE, CAUSES, HEADLINES, UNDECIDABLE
from .measures import (
    APPLICATIONS,
    BASE,
    BREAKERS,
    DR,
    HEADLINE,
    LISTS_ON_CHIP,
    MACHINES,
    NAIVE,
    ORDERS,
    READ,
    REMOVAL,
    SEQUENTIAL,
    TWINS,
    TWO,
    UNORDERED,
    VRO,
)

FETCHER_OF_2022 = ("tile_fetcher.primitive_table=16", "technique.deferred_rendering.hsr_primitives=0")

STUDY = Study(
    name="vro-2018",
    title="Visibility Rendering Order, Deferred Rendering, Z-prepass",
    source="de Lucas, PhD thesis, UPC 2018, chapter 4 and appendix A",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # The frame before has the order.
    frames=Frames((), (5, 15, 25, 35, 45, 55), before=1),
    quick_frames=Frames((), (20, 40), before=1),
    experiments=(
        Experiment(MACHINES),
        Experiment(BREAKERS, UNORDERED, UNORDERED[:2], with_applications=False, few=True),
        Experiment(ORDERS | NAIVE, with_applications=False, few=True),
        Experiment(IMMEDIATE, GAMES, GAMES[:2], with_applications=False),
        Experiment(ONE_PROCESSOR, GAMES, GAMES[:2], with_applications=False, few=True),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    baseline=BASELINE,
    beside=other_machine((BASE, TWO, VRO, DR, SEQUENTIAL)),
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    level="all",
    readings=Readings(
        (BASE, TWO, VRO, DR, SEQUENTIAL),
        READ,
        HEADLINE,
        (
            *FETCHING_AND_WIDTH,
            Reading("the Tile Fetcher of 2022", FETCHER_OF_2022),
            LISTS_ON_CHIP,
            *REMOVAL,
            *PARAMETER_BUFFER,
            FIXED_LATENCIES,
            *other_seeds(READ),
        ),
    ),
)
