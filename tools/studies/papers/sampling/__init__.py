"""Sampling: how far totals of chosen frames are from those of all (MEGsim, ISPASS 2022).

Every frame is replayed once, and the frames of plans again, each after the frames that warm up. The rules are targets
that were set before anything was measured.
"""

from __future__ import annotations

from tilegpu.tools.sampling.totals import UNITS

from ...declare import Study
from .conclusions import CONCLUSIONS
from .curves import figure
from .measures import LENGTHS, MOMENTS, QUICK, SCREENS, sampled, whole

STUDY = Study(
    name="sampling",
    title="Totals of a long capture from few of its frames",
    source="Ortiz et al., MEGsim, ISPASS 2022 (abstract), and targets of our own",
    workloads=tuple(LENGTHS),
    applications=(),
    screen=None,
    screens=SCREENS,
    frames=QUICK,
    quick_frames=QUICK,
    moments=MOMENTS,
    picture="sampling.svg",
    experiments=whole(),
    follow_up=sampled,
    figures=tuple(figure(workload, measure) for workload in LENGTHS for measure in UNITS),
    conclusions=CONCLUSIONS,
    # Visibility Rendering Order changes which fragments are hidden.
    level="all",
    # Seeds of plans take the place of drawn frames.
    draws=0,
)
