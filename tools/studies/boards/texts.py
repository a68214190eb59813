"""What docs/accuracy.md says around its tables."""

HEAD = """# Beside real GPUs

`tilegpu study boards` predicts the frame times of glmark2's scenes and sets them beside frame rates that owners of boards
have published (`data/boards/measured.csv`, with the source of each row): an Amlogic S905 with a Mali-450 MP3 at 500 MHz,
1920 x 1080, 15 scenes, Arm's driver; a MediaTek Genio 350 with a Mali-G52 MC1, 1200 x 1920, 27 scenes, Panfrost.

```sh
tilegpu study boards -o boards --quick     # four scenes per board, one frame each
tilegpu study boards -o boards             # all scenes, two frames each, after one that warms up
cp boards/plots/frame-times-rest.svg docs/accuracy.svg   # the plot below
```

Emerald states its accuracy against a Tegra K1 (Gubran and Aamodt, section 3.4): draw times correlate to 98 %, with a mean
absolute error of 32.2 %. TEAPOT states none.

## What is compared

- A prediction is the cycles of the counted frames at the board's clock. On the Mali-450, whose vertices have a processor of
  their own, geometry of a frame is worked on beside the fragments of the frame before, and the longer of both stages is the
  frame's time. On the Mali-G52 both take their turns on one core, and the sum is.
- The machines are the presets `mali-450-mp3` and `mali-g52-mc1`: each value has its public source, or the mark "assumed" with a
  range, in `data/configs`. The Mali-450 is set beside `re-2019`, too, the papers' GPU after it, with three processors.
- *Nothing fitted* means just that. *One factor* per board is the geometric mean of measured over predicted, of all scenes. The
  *rest* is the time per frame in which the GPU does nothing: the median of what predictions lack for the scenes at the board's
  ceiling, 0 where they lack nothing. It is fitted on these scenes, and tested on the others.
- What something outside of the GPU bounds is told by a rule that was written before the presets were: a scene shares the
  board's ceiling, if its rate is within {ceiling:g} % of the highest; or the CPU issues more than {draws} draws, or writes more than
  {kilobytes} kB of vertices, in each frame. Errors decide nothing. Figures with these scenes and without stand side by side.

## How near it comes

"""

PLOT = """![Predicted over measured frame times, with the rest](accuracy.svg)
"""

FITTED = """## What was fitted

| GPU | constant | before | fitted | meaning |
| --- | --- | --- | --- | --- |
"""

RECORDING = """## A board of one's own

Record the scenes where glmark2 runs, at the size at which it was measured, and keep three frames of each: the first holds the
uploads and warms up, the next two count.

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
| capture | file of the same scene within the folder of captures; empty where there is none |
| fps | frames per second |
| source | who measured it, where it was published |

```sh
tilegpu study boards -o mine --measurements mine.csv --captures captures --preset my-gpu.toml
```

A scene that has no capture is named, and costs its row only. `TILEGPU_BOARDS` names the folder where `--captures` does not;
the captures that the table above was made with are not part of this repository. Without a preset of its own a GPU needs
`--preset`: any preset or TOML file ([configuration](configuration.md)).
"""
EXPLANATIONS = {
    "mali-450-mp3": """### Why it errs

- *pulsar, the three texture scenes and build*, the five worst with nothing fitted, lack 4.4 to 5.5 ms each, and so do the others: 13
  of 15 scenes lack 4.1 to 5.5 ms, whether the GPU works for 1.3 ms (pulsar) or 40 ms (effect2d with 15 taps, which lacks 5.1). What
  is missing is no unit of the GPU, but time in which it stands still between frames; what the driver and the window system do
  then is not modelled. That is the rest. No prediction with a longer memory latency or less bandwidth would add the same to both.
- *effect2d, 5 of 9 taps* (-23 % with the rest): its Fragment Processors issue in 85 % of the time. Our compiler packs 16 instructions into 8
  words per fragment; the board takes 13, if nothing but words counts (18.4 ms of three processors at 500 MHz for 2.07 million
  fragments). With 15 taps 28 words are predicted, and 29.3 measured. Missing: the vendor's compiler.
- *bump, high-poly* (-12 %): 33,687 primitives for 117,551 quads. The Tile Fetcher waits for memory in 50 % of the cycles, one access at a time (the
  papers' older design, whose latency is assumed), the processors issue in 22 %. Missing: what setting up a triangle costs
  Utgard's cores, which rasterize themselves.
- *bump, normals* (+10 %), *gouraud* and *build with buffers* (+7 %): the rest is as long as for empty frames, though a part of it may pass
  while these are drawn. Missing: how far driver and GPU overlap.
- *build without buffers* (-7 %) and *pulsar* (-9 %): the former writes 516 kB of vertices a frame on the CPU, which takes no time here; the
  latter is the fastest scene of all, and needs the longest rest.

`re-2019`, the papers' GPU after this one, comes within 13 % with nothing fitted, for a reason that is none of the GPU's: its
memory has 1.6 GB/s, a quarter of the board's, so that writing a frame alone takes 5.2 ms, about as long as the rest. Where shading
hides that, it is 22 and 36 % too fast (effect2d): its texture units filter four texels in a cycle, and its processors issue an
instruction for four fragments in one.
""",
    "mali-g52-r1-mc1": """### Why it errs

- *buffer* (-85 %, both): 81 frames per second whichever way the buffer is written; the CPU writes 1.2 and 0.7 MB of vertices in each, the
  GPU has work for 1.9 ms of 12.3. Missing: the CPU. Left out by the rule.
- *pulsar* (-70 %; -45 % without Transaction Elimination): five quads that turn. The capture has the first three frames, in which they
  cover a tenth of the screen; what is published is a mean over the whole run. The flush is busy in 99 % of the cycles. Missing: frames that stand for
  the run.
- *ideas* (-68 %): 227 draws a frame. Missing: the CPU. Left out by the rule.
- *loop* (+49 %), *phong* (+22 %), *conditionals* (+20 %), *normals* (+14 %): the processors issue in 75 to 91 % of the cycles, so arithmetic is what errs. An instruction takes
  a cycle here at least (25 for the 18 pairs of *conditionals*; the ends of branches and loops count, too), and two half-precision
  operations in one, which these shaders' precision allows, are not modelled. Missing: the driver's compiler, halves.
- *shadow* (-45 %; +37 % without frame buffer compression): a shadow map of 2400 x 3840, of which 86 % of the superblocks are as they
  were cleared. The GPU knows these; that it takes no longer to write one than to write its header is assumed (`clean_tiles`). Where its flush
  looks at all of their pixels, two per cycle, 8.4 ms are predicted (+31 %, and +25 % for *refract*); measured are 6.4, which lies
  between. Missing: how fast the GPU writes what was cleared.
- *refract* (+15 %; +21 % without compression): two thirds of the lines that its texture caches lack are not in the L2 either, and a sixth of
  the time goes into mipmaps of 2400 x 3840 pixels, which are moved uncompressed here. Missing: how the driver makes mipmaps.
- *desktop, blur* (+8 %) and *shadow* (+5 %) were +35 and +25 % without compression, which leaves a quarter of the L2's misses for
  texels, and a tenth of the bytes that drawing to textures writes. Processors still wait for texels in 48 and 76 % of the
  cycles. Missing: the cache sizes of Bifrost's texture unit, which are assumed.
- *build*, *texture* and *gouraud* (-13 to -35 %): with Transaction Elimination three quarters of the tiles of an empty background are not
  written; without it these scenes are right (-10 to -1 %). The GPU has it; whether this driver had it switched on is not known to us: Mesa's
  panfrost left it off in versions of 2022 and 2023, and has a switch against it in later ones. With three frames it acts in the
  second counted frame only: the window has two buffers, and that of the first had not been written before.
""",
}
OPEN = """## How the presets came about

No value was fitted, but not all of them were there at the start: where a first prediction was off, the busy unit was looked
up in public documents, and what these said went into the preset. So these figures are no blind test. Correlation and mean
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

- Three frames stand for runs of ten seconds. Where a scene moves much, its first frames may not be like its mean.
- The Genio's clock is assumed: the highest of its device tree. Half of it would double all predictions of time.
- Each board is one machine, each scene one published figure without its spread.
- What AFBC stores is not public, and how fast cleared superblocks are written neither: `technique.frame_buffer_compression`
  has both as fields. With bit counts of two bits instead of four, frame times of *shadow* and *desktop* change by 1 % at most.
- The rest differs in meaning between the boards: on the S905 it is there in all scenes; on the Genio it stands for tiles that
  Transaction Elimination saves here, and may not have saved there.
"""
