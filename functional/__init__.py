"""Pass 1: a software renderer of OpenGL ES command streams that records what every pipeline stage did."""
