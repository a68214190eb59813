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
EXPLANATIONS: dict[str, str] = {}
OPEN = ""
