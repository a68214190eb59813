"""Rendering Elimination: HPCA 2019, section V.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from tilegpu.tools.workloads.measure import MOMENTS

from ...declare import Experiment, Frames, Phase, Reading, Readings, Study, other_seeds
from ...teapot import FETCHING_AND_WIDTH, FIXED_LATENCIES
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .judgement import BASELINE, CAUSES, HEADLINES, UNDECIDABLE
from .measures import APPLICATIONS, BASE, HEADLINE, MACHINES, PAIRED, RE, READ, TWINS

PAIRS = Frames((), tuple(n for last in MOMENTS for n in (last - 1, last)), before=2, each=2)
"""Fragment Memoization renders two frames together, and reuses in the second what the first has shaded: both count."""

STUDY = Study(
    name="re-2019",
    title="Rendering Elimination, beside Transaction Elimination and Fragment Memoization",
    source="Anglada et al., HPCA 2019",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # Phases of standing still and moving have their share; each after the two whose frame buffers it and the next have,
    # and one more for the pairs.
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
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    groups=frozenset({"pass_images"}),
    # The last four games stand still in it, the whole screen.
    phases=(Phase(MOMENTS[-1:]),),
    check_images=True,
    readings=Readings(
        (BASE, RE),
        READ,
        HEADLINE,
        (
            *FETCHING_AND_WIDTH,
            FIXED_LATENCIES,
            Reading("the letter of Algorithm 3", ("technique.rendering_elimination.accumulate=subblock",)),
            *other_seeds(READ),
        ),
    ),
)
