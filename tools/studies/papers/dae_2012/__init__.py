"""Decoupled Access/Execute: Arnau et al., ISCA 2012.

The rules follow the paper's words. Means of speed, energy and traffic are to be met within a quarter of the change, but
never closer than 3 %; shares within a quarter of themselves; bounds, ranks and counts of warps stand as they are. The
paper gives no values by game.

Its traces are ten stretches of 100 million instructions of each game, each after a warm-up. Here six frames are spread
over the 60 of each twin, of which schemes with several warps and other readings take three. One frame is drawn before
the first of them, and each of the others finds the caches, of 32 KiB and less, as the sample before it left them. After
the frame just before it, it would take as long within 0.02 %; with the many-thread aware prefetcher, whose throttle
remembers, within 1 %.

Textures, colours and depths lie row by row, and texels are not compressed. The traces were made by "the Android OpenGL
ES software renderer" (4), where a texture is an array of rows and ETC1 is decoded when it is specified (libagl,
texture.cpp: glCompressedTexImage2D). But the paper also says that addresses are those "that would be issued in a
hardware-based implementation", and hardware has square tiles: the other readings.

Energy is that of what the paper counts (4): caches, queues, register files and tables of prefetchers, dynamic and
static, while the GPU works on frames: no idle time is charged, as the paper charges none. Arithmetic and memory are
left out. The paper tells its supply, 1 V at 45 nm: that of ITRS' high-performance transistors, which leak most.
"""

from __future__ import annotations

from ...declare import Experiment, Frames, Study
from .conclusions import CONCLUSIONS
from .figures import FIGURES
from .judgement import ASSUMPTIONS, CAUSES, HEADLINES
from .measures import MACHINES, THREADED, TWINS
from .readings import FIXED, READINGS

STUDY = Study(
    name="dae-2012",
    title="Decoupled Access/Execute",
    source="Arnau, Parcerisa and Xekalakis, ISCA 2012",
    workloads=TWINS,
    # The paper's conclusions are of its games; all configurations of further ones would double the time.
    applications=(),
    screen=None,
    frames=Frames((2,), (5, 15, 25, 35, 45, 55)),
    quick_frames=Frames((19,), (20, 40)),
    experiments=(Experiment(MACHINES), Experiment(THREADED, few=True)),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    headlines=HEADLINES,
    causes=CAUSES,
    assumptions=ASSUMPTIONS,
    readings=READINGS,
    beside=FIXED,
)
