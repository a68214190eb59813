"""Dynamic fragment shading load-balancing: Gubran and Aamodt, ISCA 2019 (Emerald), section 6.

The rules follow the paper's words. Changes in per cent, and correlations, are to be met within a quarter of themselves;
best sizes of work tiles, of which those within a hundredth of the fastest are even, and ranks of workloads stand as
they are; "very similar" is within a tenth.

Workloads are models like those of Table 8, with as many triangles; the paper tells nothing of their cameras. W4 and W5
cover as much of the screen as Suzanne does in a new scene of Blender, whose model it is; readings have them larger.
Time is that in which fragments are shaded (6.1). All machines draw an evaluation phase of DFSL, one frame for each
size, and five frames that stand for the hundred of the run phase behind it.

The machine is the preset emerald-case2; emerald-case2-code, the authors' public simulator, stands beside it.
"""

from __future__ import annotations

from ...declare import Beside, Experiment, Frames, Phase, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .judgement import ASSUMPTIONS, CAUSES, HEADLINES, UNDECIDABLE
from .measures import CODE, EVALUATION, MACHINES, MODELS, RUN, RUN_FRAMES
from .readings import READINGS

STUDY = Study(
    name="emerald-2019-dfsl",
    title="Dynamic fragment shading load-balancing",
    source="Gubran and Aamodt, ISCA 2019, section 6",
    workloads=MODELS,
    # The paper's conclusions are of its models.
    applications=(),
    screen=None,
    frames=Frames((), (*EVALUATION, *RUN)),
    quick_frames=Frames((), (*EVALUATION, RUN[2])),
    experiments=(Experiment(MACHINES),),
    phases=(Phase(EVALUATION, len(EVALUATION)), Phase(RUN, RUN_FRAMES)),
    beside=Beside(CODE, tuple(MACHINES), "the authors' public simulator"),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    assumptions=ASSUMPTIONS,
    readings=READINGS,
)
