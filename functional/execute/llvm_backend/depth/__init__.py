"""Depth tests in vector code."""
