"""Instruments: observers of a machine while it runs, each in an engine of its own, that change no cycle.

An instrument fills hooks as a technique does. Without it, an engine holds nothing of it.
"""
