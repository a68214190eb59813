"""Causes of the errors of single scenes, by board."""

EXPLANATIONS = {
    "mali-450-mp3": """### Causes of the errors

- *All scenes* lack about the same with nothing fitted, 4.3 to 5.8 ms in 13 of 15, whether the GPU works for 2 ms (texture) or 40 ms
  (effect2d with 15 taps). That is the fixed part: no unit of the GPU is missing, but time in which it stands still between frames.
  What the driver and the window system do then is not known. It is taken not to scale with the GPU's clock.
- *effect2d, 5 of 9 taps* (-13 %): its Fragment Processors issue in most of the time. Our compiler packs 16 instructions
  into 10 words per fragment; the board takes 13 if only words count. With 15 taps (+5 %) 30 words are predicted and 29.3 measured.
  Missing: the vendor's compiler.
- *bump, high-poly* (-15 %): 33,687 primitives in each frame, whose vertices take longer than its fragments, set-up of triangles included.
  Missing: what a vertex costs Utgard's one processor beyond its instructions.
- *build without buffers* (-9 %): it hands 516 kB of arrays to the driver in each frame, which copies them.
- *The order* (0.91) is right where the GPU decides: 0.96 without the five scenes at the board's ceiling. These are within 3 % of each
  other, by which no order is known: *build with buffers* (+5 %) and *pulsar* (+3 %) are predicted behind the textures (-1 to -3 %).

`re-2019`, the papers' GPU modelled on this one, is near with nothing fitted in the mean, but not because of the GPU: its memory has
1.6 GB/s, a quarter of the board's, so that writing a frame alone takes 5.2 ms, about as long as the fixed part.
""",
    "mali-g52-r1-mc1": """### Causes of the errors

- *ideas* (-46 %): 227 draws a frame; the next most have 14. What the job manager does for a draw as far as it is public, descriptors
  and jobs that follow each other, takes 0.04 ms in all, and 100 cycles between jobs, assumed, 0.03 ms. Missing: the time that the CPU
  takes for a draw, which cannot be had from other scenes: 10.6 microseconds would do, in the last column, where the scene is not judged.
- *shadow* (-29 %): a shadow map of 2400 x 3840, in which 86 % of the superblocks stay cleared. The GPU recognizes these; writing one
  is assumed to take no longer than writing its header (`clean_tiles`). Mesa's driver has them written because they are cleared, and
  compresses depth of 24 bits, as the preset does. Missing: how fast the GPU writes cleared superblocks, or begins a
  tile: it has 36,000 of them.
- *pulsar* (+15 %): Transaction Elimination compares with the frame before the last, which is of an earlier moment of the run here. With
  two frames before each moment instead of one it would be 2.71 ms (+3 %): where the quads are seen from the side, nothing is written.
- *texture* (+10 to +12 %): two frames before each moment change nothing here. The GPU takes 0.06 ms less with linear filters, but 0.08 ms
  less in the *build* scenes too, from which the fixed part is, and whose vertices are many.
- *desktop, shadow* (+17 %), *effect2d, edge* (+10 %): textures bound them. They lack 0.3 to 0.5 ms, half of the fixed part: some of it
  overlaps a long frame. Missing: how far driver and GPU overlap.
- *bump, height* (-12 %), *terrain* (-7 %), *refract* (+6 %): textures bound them, and the links from the L2.
- *buffer, map and subdata* (0 %): the CPU computes 24,000 vertices a frame in 11.3 ms, whichever way it hands them over; each is
  predicted from the other.

A roofline is as good where one part bounds a scene, and far too short where parts follow each other: geometry and fragments,
transfers, tiles that wait for texels and memory in turn (*terrain*, *shadow*, *refract*).

At 450 MHz 19 of the 27 scenes would take longer than measured even without a fixed part: the board ran at or near 800 MHz.
""",
}
