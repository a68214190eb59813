"""Dependencies of frames on earlier ones: which draws, clears, copies and dispatches before the wanted frames have to
be executed for these to be right.

The calls are executed once without rendering, which tells what each operation reads and writes; going backwards from
the wanted frames tells which of them matter. The others are skipped when the frames are rendered.
"""
