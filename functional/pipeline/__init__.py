"""The stages of the graphics pipeline, one file each."""
