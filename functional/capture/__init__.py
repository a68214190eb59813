"""Command streams: apitrace files read and written, and the call model both share."""

from .call import FRAME_ENDS, Call, CaptureError, Pointer, Signature, Value
from .reader import Trace

__all__ = ["FRAME_ENDS", "Call", "CaptureError", "Pointer", "Signature", "Trace", "Value"]
