"""Collisions from rendering: de Lucas' thesis of 2018, chapter 5.

The rules follow the thesis' words. Against the CPU orders of magnitude count: a figure is met within ten times, up or
down. What rises by some per cent is to rise by half to twice as much; bounds stand as they are.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .measures import LENGTHS, MACHINES, PIPELINED, SERIALLY, TWINS

STUDY = Study(
    name="rbcd-2018",
    title="Render-Based Collision Detection",
    source="de Lucas, PhD thesis, UPC 2018, chapter 5",
    workloads=TWINS,
    # No captured application says which of its objects collide.
    applications=(),
    # Table 5.1.
    screen=(800, 480),
    frames=Frames((19,), (20, 25, 30, 35, 40, 45, 50, 55)),
    quick_frames=Frames((19,), (20, 40)),
    experiments=(Experiment(MACHINES), Experiment(LENGTHS), Experiment(PIPELINED), Experiment(SERIALLY)),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    level="all",
    groups=frozenset({"inputs"}),
)
