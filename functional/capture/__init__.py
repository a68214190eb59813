"""Command streams: reading and writing apitrace files, and the call model that both share."""

from .call import FRAME_ENDS, ArgumentError, Call, CaptureError, Pointer, Signature, Value
from .mentions import calls_any
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
    "calls_any",
]
