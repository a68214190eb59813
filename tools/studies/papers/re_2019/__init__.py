"""Rendering Elimination: HPCA 2019, section V.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .measures import APPLICATIONS, MACHINES, TWINS

STUDY = Study(
    name="re-2019",
    title="Rendering Elimination, beside Transaction Elimination and Fragment Memoization",
    source="Anglada et al., HPCA 2019",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # One whole phase of standing still and moving.
    frames=Frames((18, 19), tuple(range(20, 40))),
    quick_frames=Frames((32, 33), (34, 35)),
    experiments=(Experiment(MACHINES),),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    groups=frozenset({"pass_images"}),
    check_images=True,
)
