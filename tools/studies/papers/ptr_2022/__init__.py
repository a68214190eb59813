"""Parallel Tile Rendering: the thesis of 2022, chapters 4 to 6.

The rules follow the thesis' words. Figures that its text gives are to be met within ten per cent for speed, within half
for energy, whose models tell less; "most" is more than half; ranks are the ones it names.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .measures import APPLICATIONS, MACHINES, MAPPED, MAPPED_QUICKLY, TWINS, mapped

STUDY = Study(
    name="ptr-2022",
    title="Parallel Tile Rendering",
    source="Tomás, Master's thesis, UPC 2022",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=(1920, 1080),
    frames=Frames((19,), (20, 40)),
    quick_frames=Frames((19,), (20, 40)),
    experiments=(
        Experiment(MACHINES),
        Experiment(mapped(), MAPPED, MAPPED_QUICKLY, with_applications=False),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
)
