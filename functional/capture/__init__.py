"""Command streams: apitrace files read and written, and the call model both share."""

from .call import FRAME_ENDS, ArgumentError, Call, CaptureError, Pointer, Signature, Value
from .reader import Trace
from .recorder import Recorder
from .writer import TraceWriter

__all__ = [
    "FRAME_ENDS",
    "ArgumentError",
    "Call",
    "CaptureError",
    "Pointer",
    "Recorder",
    "Signature",
    "Trace",
    "TraceWriter",
    "Value",
]
