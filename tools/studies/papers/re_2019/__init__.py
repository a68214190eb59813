"""Rendering Elimination: HPCA 2019, section V.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from tilegpu.tools.workloads.measure import MOMENTS

from ...declare import Experiment, Frames, Reading, Readings, Study
from ...teapot import FETCHING_AND_WIDTH, FIXED_LATENCIES
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .measures import APPLICATIONS, BASE, HEADLINE, MACHINES, RE, READ, TWINS

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
            *FETCHING_AND_WIDTH,
            FIXED_LATENCIES,
            Reading("the letter of Algorithm 3", ("technique.rendering_elimination.accumulate=subblock",)),
        ),
    ),
)
