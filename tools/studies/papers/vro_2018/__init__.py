"""Visibility: de Lucas' thesis of 2018, section 4.5 and appendix A.

The rules follow the thesis' words. Means of time, energy and overshading are to be met within a quarter of the change,
shares and bounds as they stand; where the thesis ranks games, the rank decides.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .immediate import GAMES, IMMEDIATE
from .measures import APPLICATIONS, BREAKERS, LISTS, MACHINES, NAIVE, ORDERS, PIPELINED, SERIALLY, TWINS, UNORDERED

STUDY = Study(
    name="vro-2018",
    title="Visibility Rendering Order, Deferred Rendering, Z-prepass",
    source="de Lucas, PhD thesis, UPC 2018, chapter 4 and appendix A",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # The first one has no order yet.
    frames=Frames((19,), (20, 21, 22)),
    quick_frames=Frames((19,), (20, 21)),
    experiments=(
        Experiment(MACHINES),
        Experiment(BREAKERS, UNORDERED, UNORDERED[:2], with_applications=False),
        Experiment(ORDERS | NAIVE, with_applications=False),
        Experiment(LISTS, UNORDERED, UNORDERED[:2], with_applications=False),
        Experiment(IMMEDIATE, GAMES, GAMES[:2], with_applications=False),
        Experiment(PIPELINED, UNORDERED, UNORDERED[:2], with_applications=False),
        Experiment(SERIALLY, UNORDERED, UNORDERED[:2], with_applications=False),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    level="all",
)
