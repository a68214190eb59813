"""Memory that draws read although nothing was ever written to it, as in captures that were cut."""

from __future__ import annotations

from .buffers import Buffer
from .context import Context
from .programs import Program
from .textures import Texture

_KIND = "memory that nothing was written to"


def note_undefined(context: Context, thing: Buffer | Texture, reader: str) -> None:
    """Report an object whose content nothing defines, when it is read for the first time.

    Parameters
    ----------
    reader
        The array, the block or the unit that reads it.
    """
    if thing.version != thing.undefined_version or context.current_call is None:
        return
    thing.undefined_version = -1
    kind = "buffer" if isinstance(thing, Buffer) else "texture"
    message = f"{reader} reads {kind} {thing.name}, which was never written: zeros here; is the capture cut?"
    context.report.note(context.report.tolerated, _KIND, context.current_call, message)


def load_blocks(context: Context, program: Program) -> None:
    """Copy the uniform blocks of a program from the buffers that are bound, and report those that nothing defines."""
    for block, buffer in program.load_blocks(context.state.uniform_buffers).items():
        note_undefined(context, buffer, f"uniform block {block}")
