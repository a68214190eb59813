"""Options of this copy of the engine; `assembly.variants` gives every compiled copy its own values."""

COMPILED = False
"""Whether units are compiled. The modules as imported are plain Python: for debuggers, coverage and documentation."""

CACHE_FOLDER = ""
"""Folder of this copy's compiled code."""
