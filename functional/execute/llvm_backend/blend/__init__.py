"""Blending in vector code."""
