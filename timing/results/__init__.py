"""Declared statistics, and the results of a replay."""
