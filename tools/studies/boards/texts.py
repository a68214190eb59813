"""What docs/accuracy.md says around its tables."""

HEAD = """# Compared with real GPUs

`tilegpu study boards` predicts the frame times of glmark2's scenes and compares them with frame rates that owners of boards
have published (`data/boards/measured.csv`, with the source of each row): an Amlogic S905 with a Mali-450 MP3 at 500 MHz,
1920 x 1080, 15 scenes, Arm's driver; a MediaTek Genio 350 with a Mali-G52 MC1, 1200 x 1920, 27 scenes, Panfrost.

```sh
tilegpu study boards -o boards --quick     # four scenes per board, one frame each
tilegpu study boards -o boards             # all scenes, two frames each, after one that warms up
cp boards/plots/frame-times-rest.svg docs/accuracy.svg   # the plot below
```

Emerald reports its accuracy against a Tegra K1 (Gubran and Aamodt, section 3.4): draw times correlate at 98 %, with a mean
absolute error of 32.2 %. TEAPOT reports none.

## What is compared

- A prediction is the time of the counted frames' cycles at the board's clock. The Mali-450 has a separate processor for
  vertices: the geometry of a frame overlaps the fragments of the previous frame, and the frame time is that of the slower
  stage. On the Mali-G52 both stages share one core, and the frame time is their sum.
- The machines are the presets `mali-450-mp3` and `mali-g52-mc1`: in `data/configs` each value has its public source, or is
  marked "assumed" with a range. The Mali-450 is also compared with `re-2019`, the papers' GPU modelled on it, with three processors.
- *Nothing fitted* means just that. *One factor* per board is the geometric mean of measured over predicted, over all scenes. The
  *rest* is the time per frame in which the GPU does nothing: the median shortfall of the predictions for the scenes at the board's
  ceiling, 0 if there is none. It is fitted on these scenes and tested on the others.
- A rule that was written before the presets says which scenes something other than the GPU limits: those at the board's ceiling,
  with a rate within {ceiling:g} % of the highest, and those for which the CPU issues more than {draws} draws, or writes more than
  {kilobytes} kB of vertices, per frame. Errors play no part in it. Figures are given with and without these scenes.

## Accuracy

"""

PLOT = """![Predicted over measured frame times, with the rest](accuracy.svg)
"""

FITTED = """## What was fitted

| GPU | constant | before | fitted | meaning |
| --- | --- | --- | --- | --- |
"""

RECORDING = """## Your own board

Record the scenes on a machine that runs glmark2, at the size at which the board was measured, and keep three frames of each: the
first holds the uploads and warms up, the next two count.

```sh
apitrace trace -a egl -o build_vbo.trace glmark2-es2 -s 1920x1080 -b build:use-vbo=true:duration=1
apitrace trim --frames=0-2 -o captures/build_vbo.trace build_vbo.trace
glmark2-es2 -s 1920x1080 -b build:use-vbo=true      # its frame rate, without apitrace
```

`mine.csv` has a row per scene, with these columns:

| column | holds |
| --- | --- |
| board, gpu, cores | what it ran on; one clock per board |
| gpu_mhz, clock_note | clock of the GPU in whole MHz, and how it is known |
| driver, width, height | for the record |
| scene | the benchmark's name and options |
| capture | file of the same scene in the folder of captures; empty if there is none |
| fps | frames per second |
| source | who measured it and where it was published |

```sh
tilegpu study boards -o mine --measurements mine.csv --captures captures --preset my-gpu.toml
```

A scene without a capture is reported and left out. Without `--captures`, `TILEGPU_BOARDS` names the folder; the captures
behind the table above are not part of this repository. A GPU that has no preset of its own needs
`--preset`: any preset or TOML file ([configuration](configuration.md)).
"""
EXPLANATIONS = {
    "mali-450-mp3": """### Causes of the errors

- *pulsar, the three texture scenes and build*, the five worst with nothing fitted, are predicted 4.4 to 5.5 ms too short. So are
  the others: 13 of 15 scenes lack 4.1 to 5.5 ms, whether the GPU works for 1.3 ms (pulsar) or 40 ms (effect2d with 15 taps, which
  lacks 5.1). No unit of the GPU is missing, but time in which it stands still between frames; what the driver and the window system
  do then is not modelled. That is the rest. A longer memory latency or less bandwidth would not add the same to both.
- *effect2d, 5 of 9 taps* (-23 % with the rest): its Fragment Processors issue in 85 % of the time. Our compiler packs 16 instructions
  into 8 words per fragment; the board takes 13 if only words count (18.4 ms of three processors at 500 MHz for 2.07 million
  fragments). With 15 taps 28 words are predicted and 29.3 measured. Missing: the vendor's compiler.
- *bump, high-poly* (-12 %): 33,687 primitives for 117,551 quads. The Tile Fetcher waits for memory in 50 % of the cycles, one access at a time (the
  papers' older design, whose latency is assumed), the processors issue in 22 %. Missing: what setting up a triangle costs
  Utgard's cores, which rasterize themselves.
- *bump, normals* (+10 %), *gouraud* and *build with buffers* (+7 %): the rest is as long as for empty frames, although part of it may
  overlap the drawing. Missing: how far driver and GPU overlap.
- *build without buffers* (-7 %) and *pulsar* (-9 %): the former writes 516 kB of vertices per frame on the CPU, which takes no time
  here; the latter is the fastest scene of all and has the longest rest.

`re-2019`, the papers' GPU modelled on this one, is within 13 % with nothing fitted, but not because of the GPU: its
memory has 1.6 GB/s, a quarter of the board's, so that writing a frame alone takes 5.2 ms, about as long as the rest. If shading
hides that, it is 22 and 36 % too fast (effect2d): its texture units filter four texels per cycle, and its processors issue an
instruction for four fragments at once.
""",
    "mali-g52-r1-mc1": """### Causes of the errors

- *buffer* (-85 %, both): 81 frames per second whichever way the buffer is written. The CPU writes 1.2 and 0.7 MB of vertices per
  frame; the GPU has work for 1.9 ms of 12.3. Missing: the CPU. Left out by the rule.
- *pulsar* (-70 %; -45 % without Transaction Elimination): five rotating quads. The capture has the first three frames, in which they
  cover a tenth of the screen; the published figure is a mean over the whole run. The flush is busy in 99 % of the cycles. Missing:
  frames that represent the run.
- *ideas* (-68 %): 227 draws a frame. Missing: the CPU. Left out by the rule.
- *loop* (+49 %), *phong* (+22 %), *conditionals* (+20 %), *normals* (+14 %): the processors issue in 75 to 91 % of the cycles, so the error is in arithmetic. Here an instruction takes
  at least one cycle (25 for the 18 pairs of *conditionals*; the ends of branches and loops count, too), and two half-precision
  operations in one, which these shaders' precision allows, are not modelled. Missing: the driver's compiler, halves.
- *shadow* (-45 %; +37 % without frame buffer compression): a shadow map of 2400 x 3840, in which 86 % of the superblocks stay
  cleared. The GPU recognizes these; writing one is assumed to take no longer than writing its header (`clean_tiles`). If its flush
  looks at all of their pixels, two per cycle, 8.4 ms are predicted (+31 %, and +25 % for *refract*). The measured 6.4 ms lie
  between the two. Missing: how fast the GPU writes cleared superblocks.
- *refract* (+15 %; +21 % without compression): two thirds of its texture cache misses also miss in the L2, and a sixth of
  the time goes into mipmaps of 2400 x 3840 pixels, which are moved uncompressed here. Missing: how the driver makes mipmaps.
- *desktop, blur* (+8 %) and *shadow* (+5 %) were +35 and +25 % without compression, which leaves a quarter of the L2's texel
  misses and a tenth of the bytes written by drawing to textures. Processors still wait for texels in 48 and 76 % of the
  cycles. Missing: the cache sizes of Bifrost's texture unit, which are assumed.
- *build*, *texture* and *gouraud* (-13 to -35 %): with Transaction Elimination three quarters of the tiles of an empty background are not
  written; without it these scenes are right (-10 to -1 %). The GPU has it, but we do not know whether this driver used it: Mesa's
  panfrost left it off in versions of 2022 and 2023, and later versions have a switch to disable it. With three frames it only takes
  effect in the second counted frame: the window has two buffers, and that of the first had not been written before.
""",
}
OPEN = """## How the presets came about

No value was fitted, but not all of them were there at the start: when a first prediction was off, the busy unit was looked
up in public documents, and the preset was changed accordingly. So these figures are not a blind test. Correlation and mean
error, nothing fitted, all scenes:

| GPU | what was changed | correlation | mean error |
| --- | --- | --- | --- |
| Mali-450 | `re-2019` with three processors | 0.990 | 12.7 % |
| | cores as documented: three Raster Units, words of instructions, a texel per cycle, the board's memory; tiles to the shortest queue, which left two of the three cores idle | 0.984 | 49.8 % |
| | tiles in turn among equal queues | 0.990 | 55.6 % |
| Mali-G52 | one Raster Unit, a scalar operation per lane and cycle, no Transaction Elimination, the model `simple` of memory | 0.974 | 45.1 % |
| | pairs of operations, LPDDR4-3200, two Raster Units, Transaction Elimination | 0.975 | 32.5 % |
| | open passes: a window that is cleared first and drawn on after a texture is one pass | 0.981 | 26.5 % |
| | frame buffer compression, its fields written before it was measured; first without the drawn levels of textures with mipmaps (0.982, 24.9 %) | 0.983 | 24.8 % |

## What is open

- Three frames represent runs of ten seconds. If a scene moves a lot, its first frames may not resemble its mean.
- The Genio's clock is assumed: the highest in its device tree. Half of it would double all predicted times.
- Each board is a single machine, and each scene a single published figure without its spread.
- Neither what AFBC stores nor how fast cleared superblocks are written is public: `technique.frame_buffer_compression`
  has fields for both. With bit counts of two bits instead of four, frame times of *shadow* and *desktop* change by at most 1 %.
- The rest differs in meaning between the boards: on the S905 all scenes have it; on the Genio it stands for tiles that
  Transaction Elimination saves here, but may not have saved there.
"""
