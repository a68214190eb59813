"""Tags and versions of apitrace's binary format (apitrace's lib/trace/trace_format.hpp)."""

from __future__ import annotations

ENTER, LEAVE = 0, 1
"""Events: a call with its inputs, and its return with its outputs."""
END, ARGUMENT, RESULT, THREAD, BACKTRACE, FLAGS = range(6)
"""Details of an event; `END` also ends the description of a frame in a backtrace."""
FRAME_TEXTS = (1, 2, 3)
"""Details of a frame that are texts, the names of its module, function and file; the others are numbers."""
FAKE = 1
"""Flag of a call that the tracer added."""

NULL, FALSE, TRUE = 0, 1, 2
NEGATIVE, UNSIGNED, FLOAT, DOUBLE = 3, 4, 5, 6
STRING, BLOB, ENUM, BITMASK = 7, 8, 9, 10
ARRAY, STRUCT, POINTER, REPRESENTATION, WIDE_STRING = 11, 12, 13, 14, 15
"""Values. A representation consists of two values, one for people and one for machines."""

LATEST_VERSION = SEMANTIC_VERSION = 6
ENUM_NAMES_SINCE = 3
"""Earlier files describe an enum by the name of one value; later ones by all its names."""
THREADS_SINCE = 4
PROPERTIES_SINCE = 6
