"""The call model: one API call of a captured program, read from a file or made by our recorder."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import UserError

FRAME_ENDS = frozenset(
    {
        "eglSwapBuffers",
        "eglSwapBuffersWithDamageEXT",
        "eglSwapBuffersWithDamageKHR",
        "glXSwapBuffers",
        "glXSwapBuffersMscOML",
        "wglSwapBuffers",
        "wglSwapLayerBuffers",
        "wglSwapMultipleBuffers",
        "CGLFlushDrawable",
        "glFrameTerminatorGREMEDY",
    }
)
"""Calls that end a frame; `apitrace info` counts the same ones."""


class Pointer(int):
    """An address of the captured process, or an offset into a buffer object."""

    __slots__ = ()


class Double(float):
    """A number of 64 bits, as desktop OpenGL takes some; all others have 32 in a stream."""

    __slots__ = ()


class Signature(NamedTuple):
    """Name and argument names of a function."""

    name: str
    arguments: tuple[str, ...]


Value = None | bool | int | float | str | bytes | list["Value"]
"""Value of an argument. Enums and bitmasks are numbers, structs are lists of their members."""


class CaptureError(UserError):
    """A stream that cannot be read; the message names the file and what to do."""


class ArgumentError(Exception):
    """A call lacks an argument, or the argument has an impossible value: the stream is damaged there."""


class Call:
    """One call.

    Attributes
    ----------
    number
        Index in the stream, from 0, in the order in which calls were entered.
    signature
        Name of the function and of its arguments.
    arguments
        Values in the signature's order; None where the stream has none.
    result
        Return value.
    thread
        Thread of the captured process, from 0.
    fake
        Added by the tracer (client-side arrays, writes to mapped memory), not called by the program.
    complete
        False for a call that never returned.
    """

    __slots__ = ("arguments", "complete", "fake", "number", "result", "signature", "thread")

    def __init__(
        self, number: int, signature: Signature, arguments: list[Value], thread: int = 0, result: Value = None
    ) -> None:
        self.number = number
        self.signature = signature
        self.arguments = arguments
        self.result = result
        self.thread = thread
        self.fake = False
        self.complete = False

    def with_arguments(self, arguments: list[Value], result: Value = None) -> Call:
        """The same call with other arguments, and with another return value where one is given."""
        other = Call(self.number, self.signature, arguments, self.thread, self.result if result is None else result)
        other.fake, other.complete = self.fake, self.complete
        return other

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.signature.name

    @property
    def ends_frame(self) -> bool:
        """Whether the call swaps buffers."""
        return self.signature.name in FRAME_ENDS

    def __getitem__(self, argument: str) -> Value:
        """Value of an argument by name; ArgumentError if the function has no argument of that name."""
        try:
            return self.arguments[self.signature.arguments.index(argument)]
        except (ValueError, IndexError):
            raise ArgumentError(f"{self.name} has no argument {argument}") from None

    def at(self, place: int) -> Value:
        """Value of an argument by position, from 0; ArgumentError if there are fewer."""
        if place >= len(self.arguments):
            raise ArgumentError(f"{len(self.arguments)} arguments, expected at least {place + 1}")
        return self.arguments[place]

    def __eq__(self, other: object) -> bool:
        """Whether everything but the number is equal."""
        if not isinstance(other, Call):
            return NotImplemented
        return (self.signature, self.arguments, self.result, self.thread, self.fake) == (
            other.signature,
            other.arguments,
            other.result,
            other.thread,
            other.fake,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"blob({len(a)})" if isinstance(a, bytes) else repr(a) for a in self.arguments)
        return f"{self.number} {self.name}({shown})" + ("" if self.result is None else f" = {self.result!r}")
