"""The call model: one API call of a captured program, whoever made it (a file, our recorder)."""

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


class Signature(NamedTuple):
    """Name and argument names of a function."""

    name: str
    arguments: tuple[str, ...]


Value = None | bool | int | float | str | bytes | list["Value"]
"""What an argument can be. Enums and bitmasks are their numbers, structs are lists of their members."""


class CaptureError(UserError):
    """A stream that cannot be read; the message names the file and what to do."""


class ArgumentError(Exception):
    """An argument that a call lacks, or that is nothing such an argument can be: the stream is damaged there."""


class Call:
    """One call.

    Attributes
    ----------
    number
        Running number in the stream, from 0, in the order in which calls were entered.
    signature
        Name of the function and of its arguments.
    arguments
        Values in the signature's order; None where the stream has none.
    result
        Return value.
    thread
        Thread of the captured process, from 0.
    fake
        Made up by the tracer (client-side arrays, writes to mapped memory), not called by the program.
    complete
        False for a call that never returned.
    """

    __slots__ = ("arguments", "complete", "fake", "number", "result", "signature", "thread")

    def __init__(self, number: int, signature: Signature, arguments: list[Value], thread: int = 0) -> None:
        self.number = number
        self.signature = signature
        self.arguments = arguments
        self.result: Value = None
        self.thread = thread
        self.fake = False
        self.complete = False

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.signature.name

    @property
    def ends_frame(self) -> bool:
        """Whether the call swaps buffers."""
        return self.signature.name in FRAME_ENDS

    def __getitem__(self, argument: str) -> Value:
        """Value of an argument by name; ArgumentError where the function has none of that name."""
        try:
            return self.arguments[self.signature.arguments.index(argument)]
        except (ValueError, IndexError):
            raise ArgumentError(f"{self.name} has no argument {argument}") from None

    def at(self, place: int) -> Value:
        """Value of an argument by its place, from 0; ArgumentError where there are fewer."""
        if place >= len(self.arguments):
            raise ArgumentError(f"{len(self.arguments)} arguments, at least {place + 1} belong there")
        return self.arguments[place]

    def __eq__(self, other: object) -> bool:
        """Equal when everything but the number is."""
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
