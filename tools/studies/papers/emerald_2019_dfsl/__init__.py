"""Dynamic fragment shading load-balancing: Gubran and Aamodt, ISCA 2019 (Emerald), section 6.

The rules follow the paper's words. Changes in per cent, and correlations, are to be met within a quarter of themselves;
best sizes of work tiles and ranks of workloads stand as they are; "very similar" is within a tenth.

Workloads are models like those of Table 8, with as many triangles; the paper tells nothing of their cameras. Time is
that in which fragments are shaded (6.1). All sizes of work tiles are run on all frames, as for the paper's SOPT; DFSL
runs two periods of evaluation and run phase.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .measures import MACHINES, MODELS

STUDY = Study(
    name="emerald-2019-dfsl",
    title="Dynamic fragment shading load-balancing",
    source="Gubran and Aamodt, ISCA 2019, section 6",
    workloads=MODELS,
    # The paper's conclusions are of its models; every further workload takes eleven machines times 220 frames.
    applications=(),
    screen=None,
    frames=Frames((), tuple(range(220))),
    quick_frames=Frames((), tuple(range(0, 220, 20))),
    experiments=(Experiment(MACHINES),),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
)
