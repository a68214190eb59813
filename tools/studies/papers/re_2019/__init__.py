"""Rendering Elimination: HPCA 2019, section V.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from tilegpu.tools.workloads.measure import MOMENTS

from ...declare import Experiment, Frames, Reading, Readings, Study, other_seeds
from ...teapot import FETCHING_AND_WIDTH, FIXED_LATENCIES, PARAMETER_BUFFER, other_machine
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .judgement import BASELINE, CAUSES, HEADLINES, UNDECIDABLE
from .measures import APPLICATIONS, BASE, HEADLINE, MACHINES, PAIRED, RE, READ, TE, TWINS, UNLIMITED

PAIRS = Frames((), tuple(n for last in MOMENTS for n in (last - 1, last)), before=2, each=2)
"""Fragment Memoization renders two frames together, and reuses in the second what the first has shaded: both count."""

STUDY = Study(
    name="re-2019",
    title="Rendering Elimination, beside Transaction Elimination and Fragment Memoization",
    source="Anglada et al., HPCA 2019",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # Phases of standing still and moving have their share, in each game at another time; each frame after the two whose
    # frame buffers it and the next have, and one more for the pairs.
    frames=Frames((), MOMENTS, before=3),
    quick_frames=Frames((), MOMENTS[::4], before=3),
    experiments=(
        Experiment(MACHINES),
        Experiment(PAIRED, moments=dict.fromkeys(TWINS, PAIRS), with_applications=False),
        Experiment(PAIRED, APPLICATIONS),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    baseline=BASELINE,
    beside=other_machine((BASE, RE, UNLIMITED, TE)),
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    groups=frozenset({"pass_images"}),
    check_images=True,
    readings=Readings(
        (BASE, RE, UNLIMITED),
        READ,
        HEADLINE,
        (
            *FETCHING_AND_WIDTH,
            *PARAMETER_BUFFER,
            FIXED_LATENCIES,
            Reading("the letter of Algorithm 3", ("technique.rendering_elimination.accumulate=subblock",)),
            *other_seeds(READ),
        ),
    ),
)
