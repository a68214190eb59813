"""Tests of `tilegpu reduce`."""
