"""Causes of the errors of single scenes, by board."""

EXPLANATIONS = {
    "mali-450-mp3": """### Causes of the errors

- *All scenes* lack about the same with nothing fitted, 4.1 to 5.5 ms in 13 of 15, whether the GPU works for 1.3 ms (pulsar) or 40 ms
  (effect2d with 15 taps). That is the fixed part: no unit of the GPU is missing, but time in which it stands still between frames.
  What the driver and the window system do then is not known. It is taken not to scale with the GPU's clock.
- *effect2d, 5 of 9 taps* (-23 %): its Fragment Processors issue in 85 % of the time. Our compiler packs 16 instructions
  into 8 words per fragment; the board takes 13 if only words count. With 15 taps 28 words are predicted and 29.3 measured. Missing:
  the vendor's compiler.
- *bump, high-poly* (-12 %): 33,687 primitives for 117,551 quads. Missing: what setting up a triangle costs Utgard's cores, which
  rasterize themselves.
- *bump, normals* (+10 %), *build with buffers* (+8 %) and *gouraud* (+7 %): the fixed part is as long as for empty frames, although
  some of it may overlap the drawing. Missing: how far driver and GPU overlap.
- *build without buffers* (-7 %) and *pulsar* (-9 %): the former hands 516 kB of arrays to the driver in each frame, which copies
  them; the latter is the fastest scene of all.

`re-2019`, the papers' GPU modelled on this one, is near with nothing fitted in the mean, but not because of the GPU: its memory has
1.6 GB/s, a quarter of the board's, so that writing a frame alone takes 5.2 ms, about as long as the fixed part.
""",
    "mali-g52-r1-mc1": """### Causes of the errors

- *ideas* (-49 %): 227 draws a frame; the next most have 14. What the job manager does for a draw as far as it is public, descriptors
  and jobs that follow each other, takes 0.04 ms in all. Missing: the time that the CPU takes for a draw, which cannot be had from other
  scenes, and what the end of a job and the beginning of the next take.
- *pulsar* (-47 %): five rotating quads. The capture has the first three frames, in which they cover a tenth of the screen; the
  published figure is a mean over the whole run. Missing: frames that represent the run.
- *conditionals* (-20 %), *function* (-16 %), *loop* (-11 %), *cel* (-9 %), *phong* (-8 %): the processors bound them. *Function* and
  *conditionals* have 33 and 19 tuples here; the board takes about 41 and 26, if only tuples count. Missing: the driver's compiler, the
  ports of registers that keep operations of a tuple apart, the constants of its own lowering.
- *shadow* (-37 %): a shadow map of 2400 x 3840, in which 86 % of the superblocks stay cleared. The GPU recognizes these; writing one
  is assumed to take no longer than writing its header (`clean_tiles`). Mesa's driver has them written because they are cleared, and
  compresses depth of 24 bits, as the preset does. Missing: how fast the GPU writes cleared superblocks.
- *refract* (+18 %): memory takes half of its 41 ms; a sixth of the time goes into mipmaps of 2400 x 3840 pixels, which are
  moved uncompressed here. Missing: how the driver makes mipmaps.
- *bump, height* and *terrain* (-9 %), *jellyfish* and *desktop, blur* (+5 %): textures bound them.
- *bump, normals* (+5 %): it was right with fewer tuples. Missing: perhaps that Mesa folds uniforms that programs only combine with each
  other, once per draw.
- *buffer, map and subdata* (0 %): the CPU computes 24,000 vertices a frame in 11.8 ms, whichever way it hands them over; each is
  predicted from the other.

A roofline is as good where one part bounds a scene, and far too short where parts follow each other: geometry and fragments,
transfers, tiles that wait for texels and memory in turn (*terrain* -54 %, *shadow* -48 %, *refract* -37 %).

At 450 MHz fourteen scenes would take 11 to 106 % longer than measured, even without a fixed part: the board ran at or near 800 MHz.
""",
}
