"""Characteristics of the frames of a stream, counted while it is rendered: what each program executes, what there is to
draw.

They serve to choose frames that represent a long capture, so counting costs little more than rendering and writes no
tables of vertices or quads.
"""
