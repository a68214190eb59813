"""Memory organization and scheduling on mobile SoCs: Gubran and Aamodt, ISCA 2019 (Emerald), section 5.

The rules follow the paper's words. Changes in per cent are to be met within a quarter of themselves; bounds and ranks
stand as they are; "almost twice" is twice within a quarter of the change.

Models are like those of Table 6; the paper tells neither their triangles nor what the CPU's threads do. Traffic of the
CPU is that of a generator whose parameters nobody published; its volume follows from what the paper says of the high
load (docs/model/soc.md). Five frames are drawn, the first of them to warm up (Table 6). The GPU has the earlier
pipeline that the paper used (5.2).
"""

from __future__ import annotations

from ...declare import Beside, Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .cpu_map import MAP
from .figures import FIGURES
from .judgement import ASSUMPTIONS, CAUSES, HEADLINES, UNDECIDABLE
from .measures import CAPPED, MACHINES, MODELS
from .readings import PUBLIC_CODE, READINGS

STUDY = Study(
    name="emerald-2019-memory",
    title="Memory organization and scheduling on mobile SoCs",
    source="Gubran and Aamodt, ISCA 2019, section 5",
    workloads=MODELS,
    # The paper's conclusions are of its models.
    applications=(),
    # Table 5.
    screen=(1024, 768),
    frames=Frames((100,), (101, 102, 103, 104)),
    quick_frames=Frames((100,), (101,)),
    experiments=(Experiment(MACHINES | CAPPED), Experiment(MAP, quick_workloads=MODELS[:1], few=True)),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    assumptions=ASSUMPTIONS,
    readings=READINGS,
    picture="soc_map.svg",
    beside=Beside(PUBLIC_CODE, tuple(MACHINES), "launcher and stripes of the public code"),
)
