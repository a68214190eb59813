"""The `tilegpu` command: one thin file per verb over importable functions."""
