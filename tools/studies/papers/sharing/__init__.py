"""Sharing: pairs of applications on one GPU, by frame and by tile.

TEAPOT profiles applications that access the GPU at the same time (thesis of 2018, 3.1.1) and gives no figures. The
rules are expectations of our own, written before these pairs were run; definitions of throughput and fairness are those
of studies of shared processors (Eyerman and Eeckhout, IEEE Micro 2008). What three pairs of captures had shown before
(docs/sharing.md) is marked "seen".
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Machine, Study
from .conclusions import CAUSES, CONCLUSIONS
from .figures import FIGURES
from .measures import ALONE, APPLICATIONS, PAIRS, PRESET, TWINS

STUDY = Study(
    name="sharing",
    title="Pairs of applications on one GPU, by frame and by tile",
    source="the thesis of 2018, section 3.1.1, which gives no figures, and expectations of our own",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=(480, 272),
    frames=Frames((20,), (21, 22)),
    quick_frames=Frames((20,), (21,)),
    # Applications keep their times from frame to frame only if none is left out or drawn twice.
    draws=0,
    experiments=(Experiment({ALONE: Machine(PRESET)}),),
    pairs=PAIRS,
    picture="sharing.svg",
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    causes=CAUSES,
)
