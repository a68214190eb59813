"""Texts of docs/accuracy.md around its tables."""

TITLE = """# Compared with real GPUs

Median error of frame times, error that nine of ten scenes stay below, and rank correlation, by what was fitted to measurements. Each
scene is predicted without its own measurement; of the last column the scenes that the cost is from are left out. The model in
proportion to instructions has one factor from all scenes in the place of the fixed part.

"""

HEAD = """`tilegpu study boards` predicts the frame times of glmark2's scenes and compares them with frame rates that owners of boards
have published (`data/boards/measured.csv`, with the source of each row): an Amlogic S905 with a Mali-450 MP3 at 500 MHz,
1920 x 1080, 15 scenes, Arm's driver; a MediaTek Genio 350 with a Mali-G52 MC1, 1200 x 1920, 27 scenes, Panfrost.

```sh
tilegpu study boards -o boards --quick     # four scenes per board, one frame each
tilegpu study boards -o boards             # all scenes, moments of a whole run for those that move
cp boards/plots/frame-times-constants.svg docs/accuracy.svg   # the plot below
```

Emerald reports its accuracy against a Tegra K1 (Gubran and Aamodt, section 3.4): draw times correlate at 98 %, with a mean
absolute error of 32.2 %. TEAPOT reports none.

## What is compared

- *GPU time* is that of the counted frames' cycles at the board's clock. If a GPU has processors of its own for vertices (Utgard),
  or its driver lets them, the geometry of a frame overlaps the fragments of the previous one, and the slower stage counts. With
  Panfrost their times add up: it takes every buffer of a job to be written, and all jobs of a context share some.
- *Frames*: a published rate is a mean over a run of ten seconds, in which most scenes turn, grow or shrink; a capture has the first
  three frames. glmark2 computes the matrices of eleven of its scenes from the time alone, so that frames at eight moments of the run
  are made from a captured one ({moving}), each after the frame
  before it; tests check the rule by captured frames. The GPU's time of a scene is the harmonic mean over the moments, as rates
  average over time. Of other scenes the third captured frame counts: a window has two buffers in turns, and Transaction Elimination
  finds nothing to leave out before it.
- *Frame time* is the larger of CPU and GPU time, and a fixed part. Two constants per board, below, say what is not the GPU. They are
  medians: over scenes at the board's ceiling, with a rate within {ceiling:g} % of the highest, and over scenes whose vertices
  the CPU writes anew. *With constants from the other scenes* each scene is predicted without its own measurement. A third, the time of
  CPU and driver per draw, can be had only from scenes with more than {draws} draws a frame; where it is used, they are not judged.
- The machines are presets in `data/configs`, in which each value has its public source or is marked "assumed" with a range. They
  stand on a base for each architecture, and were written before they were run on any scene; one value was changed afterwards
  ([below](#how-the-presets-came-about)). The Mali-450 is also compared with `re-2019`, the papers' GPU modelled on it, with three processors.
- *Errors* are those of the logarithm of times: "16 %" means off by a factor of 1.16, either way. *Bias* is the geometric mean of
  predicted over measured times. *Rank* is Spearman's correlation.
- Ours is compared with two simpler models. *In proportion to instructions*: those that all fragments and vertices execute, times
  one factor that fits all scenes of the board best. *Roofline*: the largest of the times that the parts need by themselves at
  their peak rates, with constants as ours: instructions as the processors issue them, bilinear texels, bytes of memory or pixels to
  blend and write, and the geometry stage.
- *Bound by* names the part that takes longest by itself.
- A rule that was written before the presets says which scenes something other than the GPU may limit: those at the board's
  ceiling, and those for which the CPU issues more than {draws} draws, or writes more than {kilobytes} kB of vertices, per frame.

## Accuracy

"""

PLOT = """![Predicted over measured frame times, with constants from the other scenes](accuracy.svg)
"""

FITTED = """## What was fitted

| GPU | constant | value | meaning | scales with |
| --- | --- | --- | --- | --- |
"""

RATES = """## What scenes hang on

Change of the GPU's cycles if one value of a preset is another, one at a time: glmark2's scenes at 640 x 360, the third frame. Latencies of
main memory, and how many vertices of a core may wait for it, decide more than rates of textures, varyings and blending, which have
sources. `python -m tilegpu.tools.studies.boards.rates PRESET CAPTURE.trace ... -o FILE.json` prints it.

"""

RECORDING = """## Adding a board

Record the scenes on a machine that runs glmark2, at the size at which the board was measured, and keep three frames of each: the
first two warm up, the third counts. Scenes whose matrices follow from the time are drawn at moments of the whole run
if the captured clock goes on by a sixtieth of a second per frame, as in a recorder that replaces the clock.

```sh
apitrace trace -a egl -o build_vbo.trace glmark2-es2 -s 1920x1080 -b build:use-vbo=true:duration=1
apitrace trim --frames=0-2 -o captures/build_vbo.trace build_vbo.trace
glmark2-es2 -s 1920x1080 -b build:use-vbo=true      # its frame rate, without apitrace
```

`mine.csv` has a row per scene, with these columns:

| column | holds |
| --- | --- |
| board, gpu, cores | what it ran on; one clock per board |
| gpu_mhz, clock_note | clock of the GPU in whole MHz, and how it is known; lower clocks that the note names in MHz give the column *at the lowest clock* |
| driver | of the GPU; with Panfrost or Panthor, the geometry of a frame overlaps nothing |
| width, height | for the record |
| scene | the benchmark's name and options |
| capture | file of the same scene in the folder of captures; empty if there is none |
| fps | frames per second |
| source | who measured it and where it was published |

```sh
tilegpu study boards -o mine --measurements mine.csv --captures captures --preset my-gpu.toml
```

A scene without a capture is reported and left out. Without `--captures`, `TILEGPU_BOARDS` names the folder; the captures
behind the table above are not part of this repository. `--preset` names any preset or TOML file
([configuration](configuration.md)); without it, the GPU's name and its cores find one: Mali-450 MP2 and MP3, Mali-T860 MP4, Mali-G52
MC1 and MC2, Mali-G57 MC2, Mali-G610 MC4, Mali-G78AE MC2. A GPU of the same architecture with other cores is a file of a few lines:

```toml
base = "mali-bifrost"
name = "mali-g52-mc2-2ee"

[clocks]
gpu_mhz = 950

[tiles]
raster_units = 4  # two for each core

[simt_core]
clusters = 2  # cores
schedulers = 2  # execution engines of each

[tile_flush]
pixels_per_cycle = 4  # two for each core
```

The fixed part needs scenes that draw almost nothing, such as `build`, `texture` and `pulsar`.
"""

OPEN = """## How the presets came about

The presets were frozen before they were run. One value was *seen* and changed: cores had at most 16 memory operations under way, the
simulator's limit then, and the three texture scenes waited for texels (predicted +28 to +30 % too long, *desktop, shadow* +27 %). Now
each of a core's 64 warps can have one: a thread waits for its own messages only, and Mesa's compiler gives it six slots of
dependencies, so that a lower limit has no source. The same holds for all presets with unified cores.

Two facts that were not in the earlier presets decide much, and are public. The boot log of the Genio's kernel says that its core has
three execution engines (CORE_FEATURES 0x3), not two as on other boards with this GPU. And Linux's driver lets no vertices overlap
fragments. The Mali-450 is as before. Earlier states, nothing fitted, all scenes:

| GPU | state | correlation | mean error |
| --- | --- | --- | --- |
| Mali-450 | `re-2019` with three processors | 0.990 | 12.7 % |
| | cores as documented: three Raster Units, words of instructions, a texel per cycle, the board's memory | 0.990 | 55.6 % |
| Mali-G52 | cores apart, pairs of operations, LPDDR4-3200, Transaction Elimination, open passes | 0.981 | 26.5 % |
| | frame buffer compression | 0.983 | 24.8 % |

Later came what Mesa's sources say of the units that execute an operation, forward pixel kill, bins of several sizes, the bytes of a draw's
job, and dependences between operations of Bifrost's tuples. Each was written from its source before it was run, and none has a value that
the boards chose; but the last was *seen*: it was looked for because *function* was too short. Of the Mali-G52, with constants from the
other scenes:

| state | median | nine of ten | rank |
| --- | --- | --- | --- |
| before | 5.2 % | 48 % | 0.921 |
| operations on the units that execute them | 5.2 % | 48 % | 0.921 |
| all of it | 4.7 % | 44 % | 0.922 |

Better became *function* (-33 to -23 %), *refract* (+21 to +18 %), *bump, normals* (-4 to -1 %), *jellyfish* and *desktop, shadow* (+7 to
+5 %); worse *shadow* (-32 to -37 %), *phong* and *cel* (-9 to -12 %), *gouraud* and *blinn* (+1 to -3 %). Bins of several sizes shorten
nearly all scenes, by up to 0.2 ms; forward pixel kill leaves out at most 1.8 % of the quads. The Mali-450 is as before.

Then came [chains of jobs](model/job_manager.md), and what a tuple reads, the order of Mesa's scheduler and the conversions behind
*gl_FragCoord*. Both were *seen*: looked for because *ideas*, and *function* and *conditionals*, were too short. They were written from
Mesa's and Linux's sources, frozen before any scene was run, and each state was measured once:

| state | median | nine of ten | mean | rank | rank with constants from the ceiling |
| --- | --- | --- | --- | --- | --- |
| before | 4.7 % | 44 % | 10.6 % | 0.9218 | 0.9300 |
| chains of jobs, clean caches at their ends | 4.4 % | 43 % | 10.6 % | 0.9218 | 0.9300 |
| tuples with one pair of uniforms, places of fragments | 4.6 % | 37 % | 9.8 % | 0.9243 | 0.9331 |

Chains lengthen *ideas* by 0.04 ms, others by at most 0.06 ms. Tuples made *function* (-22 to -16 %), *conditionals* (-25 to -20 %), *phong*
(-12 to -8 %), *cel* (-12 to -9 %), *bump, high-poly* (-4 to 0 %) and *blinn* (-3 to +1 %) better, *bump, normals* (-2 to +5 %) worse.

All of these counted the second and third frame of each capture. Moments of the whole run, and the third frame alone of other scenes,
came last; no preset changed. The former was written from glmark2's sources before it was measured; that second frames take up to twice
as long, because nothing can be left out of them yet, was *seen* in its results. Of the Mali-G52 and the Mali-450, with constants from the
other scenes:

| GPU | frames | median | nine of ten | mean | bias | rank | rank with constants from the ceiling |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Mali-G52 | second and third | 4.6 % | 37 % | 9.8 % | -8 % | 0.924 | 0.933 |
| | moments of the run, or third | 5.6 % | 15 % | 8.4 % | -2 % | 0.949 | 0.953 |
| Mali-450 | second and third | 3.6 % | 12 % | 6.0 % | -2 % | 0.937 | 0.954 |
| | moments of the run, or third | 4.4 % | 14 % | 5.9 % | -4 % | 0.909 | 0.960 |

*Pulsar* (-47 to +15 %), *refract* (+18 to +2 %), *conditionals*, *function* and *loop* (-20, -16 and -11 to -4, -5 and 0 %) became better:
the fixed part had been too short by half a millisecond, for the scenes that it comes from were counted before anything was left out of
them.

Last came what a check on boards that are not in these tables asked for: vertices fetched by all cores, which changes nothing here (one
core, or Utgard's one processor of vertices); cycles for the beginning of a job and for the heads of a tile's lists; links of a core as
wide as a beat of Arm's counters, 16 bytes a cycle instead of 64 that were assumed; and on Utgard triangles set up in the cores, and
coordinates that take a word's load of a varying. Each has a source or a range, none a value that a board chose; that edge, high-poly,
*ideas* and *shadow* were off was *seen*. With constants from the other scenes:

| GPU | state | median | nine of ten | mean | bias | rank | rank with constants from the ceiling |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Mali-G52 | before | 5.6 % | 15 % | 8.4 % | -2 % | 0.949 | 0.953 |
| | all of it | 6.6 % | 15 % | 8.2 % | -1 % | 0.952 | 0.956 |
| Mali-450 | before | 4.4 % | 14 % | 5.9 % | -4 % | 0.909 | 0.960 |
| | all of it | 4.5 % | 13 % | 5.4 % | -3 % | 0.909 | 0.960 |

Better became *shadow* (-35 to -27 %), *effect2d, edge* on the Mali-450 (-23 to -13 %), *terrain* (-9 to -7 %) and *bump, height* (-5 to -3 %);
worse *refract* (+2 to +7 %), *desktop, shadow* (+15 to +17 %) and *effect2d* with 15 taps on the Mali-450 (-1 to +5 %). On the Mali-G52 the
links do that: with 64 bytes a cycle *refract* takes 5 % less, as before, and *desktop, shadow* 1.4 %. Setting triangles up changes nothing in
*bump, high-poly*: its vertices take longer than its fragments.

A median that became worse made us look at what had changed without a source. Two values of the Mali-G52 (and of all presets with unified
cores) went back to what they were before: the heads of a tile's lists take no cycles of their own, as a unit that reads lists may read
ahead; and an answer of the L2 takes 20 cycles until its last piece, as before, of which three are now those of the narrower link. So this
state is *seen*. The links, which have a source, stay:

| GPU | state | median | nine of ten | mean | bias | rank | rank with constants from the ceiling |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Mali-G52 | without cycles for heads of lists, 20 cycles to the last piece of an answer | 6.1 % | 15 % | 8.3 % | -1 % | 0.950 | 0.954 |

The median is still half a point, and nine of ten 0.7 points, above 5.6 and 14.7 % before the links: of *refract* (+2 to +6 %) and
*desktop, shadow* (+15 to +17 %), which wait for lines with textures. Twice as many vertices that wait for their attributes
(`vertex_fetcher.queue`) were tried with three scenes and two frames before each moment: the GPU takes 15 % less for *build*, and as long as
before for *texture* and *pulsar*. The fixed part, which is from *build*, would be 0.12 ms longer, *texture* 18 % too long instead of 12 %, and
*pulsar* 8 instead of 3 %. So this stays as it is.

## Sources of the presets

What was read for them. No page was searched for frame rates, and none of those that `measured.csv` cites was opened. A search for
boot logs gave excerpts of mails in which such rates follow (of the MT8365 and the RK3528); the excerpts end before them.

- Arm's guides to the Utgard, Midgard, Bifrost and Valhall shader cores; Arm's Mali GPU data sheet of 2021 (threads, operations,
  fragments, pixels and texels per clock, caches).
- Mesa: `src/panfrost/model/pan_model.c` (rates and tile buffers), `src/panfrost/compiler/bifrost_compile.c` and `.h` (lowering,
  statistics of shaders, preloaded messages, precision of coordinates), `bifrost/ISA.xml` in full, `bi_schedule.c`, `bir.c` (what one
  unit does for the other), `valhall/ISA.xml`, `valhall/va_perf.c`, `va_lower_isel.c`, `midgard/midgard_ops.c` and
  `midgard_compile.c` (lowering), `src/panfrost/util/pan_shader.c` (`can_fpk`), `src/panfrost/lib/genxml/v7.xml` (jobs, descriptors),
  `pan_jc.h` (dependences of jobs), `pan_desc.c` (clean tiles), `src/gallium/drivers/panfrost/pan_jm.c`, `pan_cmdstream.c` (forward pixel
  kill, descriptors), `pan_tiler.c` (bins), `pan_screen.c` (half floats, Transaction Elimination) and `pan_resource.c` (compression); the lima project's documentation of Utgard's instruction sets.
- Arm's library libGPUInfo: `source/libgpuinfo.cpp` and `.hpp` (multiply-adds, texels and pixels per clock and core, engines, the width of
  the bus of a slice of the L2); Arm's specification of performance counters (`MaliSCBusBeatSize`, `MaliConfigExtBusBeatSize`).
- Mesa's lima: what loads the coordinates of a texture operation (`ppir`: `ppir_op_load_coords_reg`), in excerpts of a search; Mesa's
  `bi_print_stats`, `va_print_stats` and `va_count_instr_stats` (rates that match Arm's Mali Offline Compiler), likewise.
- Arm's blog "Killing Pixels" (2013) and its references of performance counters, in excerpts of a search.
- Linux: `drivers/gpu/drm/panfrost/panfrost_job.c` (dependencies of jobs, caches at the ends of chains), device trees of the RK3328, RK3399, RK3528, RK356x,
  RK3588, MT8186, MT8365 and Amlogic GX; boot logs of panfrost, panthor and lima on RK3328, RK3399, RK3566, RK3588, MT8188, MT8365,
  UMS9230 and Amlogic GX (cores, execution engines, sizes of the L2).

## What is open

- How many vertices of a core may wait for their attributes is assumed (16 of 16 to 64), and shortens scenes with many vertices by a
  fifth at 32. Cores load attributes by instructions of threads, so that it could be hundreds.
- What the fixed part is. Read as cycles of the GPU it shrinks with a higher clock, read as a time it does not; the table of both
  readings is [above](#what-was-fitted).
- One frame represents ten seconds of *ideas*, *terrain*, *desktop* and *buffer*, which move by more than matrices.
- Transaction Elimination compares with the frame before the last: at moments of a run that is one of an earlier moment, so that somewhat
  fewer tiles are left out than on the board.
- The Genio's clock is assumed: the highest in its device tree. The column *at the lowest clock* has the other end.
- Each board is a single machine, and each scene a single published figure without its spread.
- Neither what AFBC stores nor how fast cleared superblocks are written is public: `technique.frame_buffer_compression`
  has fields for both.
- How many quads wait for forward pixel kill is not public, nor which threads under way it ends: none here.
- Constants of one board say little of another's: the fixed part is 1.1 ms on one and 4.8 ms on the other.
- Presets of Midgard and Valhall, the Mali-G52 MC2 and the Mali-450 MP2 have not been compared with a board. All scenes run on them.
"""
