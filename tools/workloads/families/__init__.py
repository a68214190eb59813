"""Families of scenes, one file each: a function `scene(twin)` that lays out things, a camera and a palette."""
