"""Parallel Tile Rendering: the thesis of 2022, chapters 4 to 6.

The rules follow the thesis' words. Figures that its text gives are to be met within ten per cent for speed, within half
for energy, whose models tell less; "most" is more than half; ranks are the ones it names.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Reading, Readings, Study, other_seeds
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .judgement import BASELINE, CAUSES, HEADLINES, UNDECIDABLE
from .measures import (
    APPLICATIONS,
    BASE,
    DOUBLED,
    HEADLINE,
    MACHINES,
    MAPPED_QUICKLY,
    OLDER_FETCHER,
    PTR,
    READ,
    TEXTURED,
    TWINS,
    VARIED,
    mapped,
)

A_FRAGMENT = ("fragment_stage.issue_cycles=4", "vertex_stage.issue_cycles=4")

STUDY = Study(
    name="ptr-2022",
    title="Parallel Tile Rendering",
    source="Tomás, Master's thesis, UPC 2022",
    workloads=TWINS,
    applications=APPLICATIONS,
    # Table 3.2 gives each game's own: its primitives per tile are those over the tiles of that screen.
    screen=None,
    frames=Frames((), (5, 15, 25, 35, 45, 55), before=1),
    quick_frames=Frames((), (20, 40), before=1),
    experiments=(
        Experiment(MACHINES),
        Experiment(VARIED, few=True),
        Experiment(mapped(), TWINS, MAPPED_QUICKLY, with_applications=False, few=True),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    baseline=BASELINE,
    undecidable=UNDECIDABLE,
    causes=CAUSES,
    readings=Readings(
        (BASE, PTR, DOUBLED),
        READ,
        HEADLINE,
        (
            Reading("a fragment per cycle and processor", A_FRAGMENT),
            Reading("the older Tile Fetcher", OLDER_FETCHER),
            Reading("both", (*A_FRAGMENT, *OLDER_FETCHER)),
            Reading("all texels in ETC1, mipmapped", (), {twin: f"{twin}+etc1+mipmapped" for twin in TEXTURED}),
            Reading("all texels of 32 bits, mipmapped", (), {twin: f"{twin}+rgba8+mipmapped" for twin in TEXTURED}),
            Reading(
                "sprite games without mipmaps", (), {"000-ccs": "000-ccs+unmipmapped", "000-rok": "000-rok+unmipmapped"}
            ),
            *other_seeds(READ),
        ),
    ),
)
