"""Compute programs of the kinds that people run, as programs that call OpenGL ES 3.1 through the recorder.

Every module has two functions: `record(path, …)` writes a trace, and `expected(…)` tells with numpy what the trace's
glMapBufferRange and glReadPixels give, in their order. `python -m tests.compute.programs FOLDER` records all.
"""
