"""Machines: lists of hardware units and how they are wired, one file each. Files may lie in more folders than this."""
