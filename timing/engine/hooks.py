"""Hook points of the machines, named once; those of memory are in `memory.hooks`. These are the baseline's: they change
nothing.

A technique fills some of them (`engine.technique`). Where several fill one, they are called in the order of the
techniques, and what they say is put together by the kind of the hook:

- TELL: all are notified.
- PIPE: each gets, in the place of the named parameter, what the one before it gave; a negative answer ends the chain.
- DECIDE: the first that does not say GO has decided. WAIT stalls the caller, which asks again when it is woken up:
  `wake(gpu, gpu.caller.<hook>)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .jit import inline

if TYPE_CHECKING:
    from .frame import Binning, Commands, Depth, Shading, Tiling, Vertices
    from .gpu import Gpu
    from .transfer import Transfer

TELL, PIPE, DECIDE = "tell", "pipe", "decide"

GO, SKIP, WAIT, BYPASS = range(4)
"""Go on; leave it out; ask again later; (a quad) go on to blending without being shaded."""

SKIP_TILE, WAIT_TILE = -1, -2
"""Answers to `next_tile` that name no tile."""

WAIT_PRIMITIVE = -1
"""Answer to `next_primitive` and `next_assembled`: ask again later."""


class Hook(NamedTuple):
    """Kind of a hook, the parameter that is passed on from one technique to the next, and the module with the hook."""

    kind: str
    piped: str
    module: str


HOOKS: dict[str, Hook] = {}
"""Hooks by their names."""
Function = TypeVar("Function", bound=Callable[..., Any])


def hook(kind: str, piped: str = "") -> Callable[[Function], Function]:
    """Declare a hook, of a kind, which passes a parameter on where it is a PIPE."""

    def declare(function: Function) -> Function:
        HOOKS[function.__name__] = Hook(kind, piped, function.__module__)
        declared: Function = inline(function)
        return declared

    return declare


@hook(DECIDE)
def pass_begin(gpu: Gpu, commands: Commands, render_pass: int, t: int) -> int:
    """A pass begins: its first draw may go on to the geometry stage."""
    return GO


@hook(PIPE, "position")
def next_draw(gpu: Gpu, commands: Commands, position: int) -> int:
    """Draw to process at a position of the order of drawing."""
    return position


@hook(PIPE, "position")
def next_assembled(gpu: Gpu, binning: Binning, position: int) -> int:
    """Primitive to assemble at a position of the order of drawing, or WAIT_PRIMITIVE until its vertices have
    arrived."""
    return position if binning.primitive[position].stream_end <= gpu.primitive_assembly.committed else WAIT_PRIMITIVE


@hook(DECIDE)
def draw_begin(gpu: Gpu, vertices: Vertices, batch: int, t: int) -> int:
    """The commands and constants of a draw were read: it may go on to the geometry stage. No SKIP."""
    return GO


@hook(DECIDE)
def primitive_begin(gpu: Gpu, binning: Binning, primitive: int, t: int) -> int:
    """The Polygon List Builder takes up the next primitive. SKIP: it is not binned, and of no tile."""
    return GO


@hook(DECIDE)
def binned(gpu: Gpu, binning: Binning, primitive: int, entry: int, t: int) -> int:
    """The Polygon List Builder puts a primitive into a tile's list, as this entry. SKIP: it is left out of the list and
    not fetched with the tile, as long as `left_out` of the entry is not set back."""
    return GO


@hook(DECIDE)
def geometry_done(gpu: Gpu, commands: Commands, render_pass: int, t: int) -> int:
    """All geometry of a pass is through: its tiles may begin. No SKIP."""
    return GO


@hook(PIPE, "position")
def next_tile(gpu: Gpu, tiling: Tiling, position: int) -> int:
    """Row of the tile to process at a position of the pass's order, SKIP_TILE or WAIT_TILE.

    A technique that wants the same position once more sets the Tile Fetcher's `position` back. One that takes the tile
    of another position sets the Tile Fetcher's `asked` to its row; one that skips sets `skipped_by` in the row's log.
    """
    return position


@hook(PIPE, "r")
def tile_assigned(gpu: Gpu, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """Raster Unit that a tile goes to, in place of the one that `tiles.assignment` has chosen."""
    return r


@hook(PIPE, "entry")
def next_primitive(gpu: Gpu, tiling: Tiling, entry: int, t: int) -> int:
    """Entry of the tile's list to fetch instead of the recorded one, or WAIT_PRIMITIVE."""
    return entry


@hook(DECIDE)
def tile_request(gpu: Gpu, t: int) -> int:
    """The Tile Fetcher may send a request in this cycle. No SKIP."""
    return GO


@hook(DECIDE)
def rasterized(gpu: Gpu, tiling: Tiling, r: int, quad: int, t: int) -> int:
    """A quad is rasterized: it may go on to the depth test. Asked once for each, unless the answer is WAIT."""
    return GO


@hook(DECIDE)
def tile_rasterized(gpu: Gpu, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """All quads of a tile are rasterized: its end may go on to the depth test. No SKIP."""
    return GO


@hook(DECIDE)
def depth_load(gpu: Gpu, commands: Commands, r: int, tile: int, t: int) -> int:
    """Raster Unit r fetches what memory holds of a tile's depths, if anything; SKIP: the technique has."""
    return GO


@hook(TELL)
def tile_begin(gpu: Gpu, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """Raster Unit r begins to resolve depth for a tile."""


@hook(TELL)
def tile_tested(gpu: Gpu, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """No quad of a tile is left to be tested: Raster Unit r's buffer holds its depths as they stay."""


@hook(DECIDE)
def quad_begin(gpu: Gpu, depth: Depth, r: int, quad: int, t: int) -> int:
    """Early depth takes up the next quad. No SKIP."""
    return GO


class Compared(NamedTuple):
    """Depth `z` of a quad's sample, and the one `held` at its place of the tile's buffer."""

    z: int
    held: int


@hook(PIPE, "passed")
def depth_tested(gpu: Gpu, depth: Depth, r: int, place: int, quad: int, compared: Compared, passed: bool) -> bool:
    """Outcome of comparing depths at a place of the tile's buffer."""
    return passed


@hook(TELL)
def depth_written(gpu: Gpu, depth: Depth, r: int, place: int, quad: int) -> None:
    """A sample of a quad is the new occluder at a place of the tile's buffer."""


@hook(TELL)
def depth_cleared(gpu: Gpu, depth: Depth, r: int, place: int) -> None:
    """A clear between draws sets the depth at a place of the tile's buffer, or of what is stored where there are no
    tiles."""


@hook(TELL)
def depth_fetched(gpu: Gpu, depth: Depth, r: int, place: int, stored: int) -> None:
    """Load of a depth on a machine without tiles: that of a quad's sample came to a place of the tester's registers
    from where it is stored, or from nowhere (-1)."""


@hook(TELL)
def depth_put_back(gpu: Gpu, depth: Depth, r: int, place: int, stored: int) -> None:
    """The same on its way back."""


@hook(TELL)
def depth_compared(gpu: Gpu, depth: Depth, r: int, quad: int, passed: int, t: int) -> None:
    """A quad went through the early depth test; `passed` holds a bit per sample."""


@hook(DECIDE)
def quad_ready(gpu: Gpu, depth: Depth, r: int, quad: int, t: int) -> int:
    """Whether a quad that survived early depth is shaded; asked once for each, unless the answer is WAIT."""
    return GO


@hook(TELL)
def quad_queued(gpu: Gpu, depth: Depth, r: int, quad: int, tile: int, processor: int, t: int) -> None:
    """A quad that is to be shaded waits in the queue before its processor."""


@hook(DECIDE)
def tile_end(gpu: Gpu, shading: Shading, r: int, i: int, tile: int, t: int) -> int:
    """A Fragment Processor has met the end of a tile. GO: it waits until it and the others have shaded all of the tile;
    SKIP: it goes on with the next tile, whose quads wait for blending behind it. No WAIT."""
    return GO


@hook(TELL)
def blended(gpu: Gpu, depth: Depth, r: int, quad: int, passed: int, t: int) -> None:
    """A quad's colours enter the tile's buffer; `passed` holds a bit per sample."""


@hook(DECIDE)
def tile_flush(gpu: Gpu, commands: Commands, r: int, tile: int, t: int) -> int:
    """Whether the colours of a finished tile are written to memory."""
    return GO


@hook(DECIDE)
def tile_line(gpu: Gpu, commands: Commands, transfer: Transfer) -> int:
    """The next piece of a tile that is written or read, of `units.tile_memory`. SKIP: the technique has set it and
    stepped on. No WAIT."""
    return GO


@hook(DECIDE)
def pass_done(gpu: Gpu, commands: Commands, render_pass: int, t: int) -> int:
    """The last tile of a pass was flushed: the pass may end. No SKIP."""
    return GO


@hook(TELL)
def unit_turn(gpu: Gpu, u: int) -> None:
    """A unit is about to be ticked: it is its turn."""


@hook(TELL)
def works_for(gpu: Gpu, u: int, work: int) -> None:
    """Unit u turns to what belongs to an account (`engine.work`), which gets what it counts from here on."""


@hook(TELL)
def works_for_application(gpu: Gpu, u: int, application: int, otherwise: int) -> None:
    """Unit u turns to what belongs to a tile or a pass as a whole: to its application, where several share the GPU,
    `otherwise` to an account (`engine.work`)."""


@hook(TELL)
def notes_work(gpu: Gpu, u: int, place: int) -> None:
    """The unit whose turn it is puts what it works for into a place of unit u, of `engine.work.PLACES`."""


@hook(TELL)
def resumes_work(gpu: Gpu, u: int, place: int) -> None:
    """Unit u turns to what belongs to one of its places."""


@hook(TELL)
def resumes_warp(gpu: Gpu, u: int, w: int, instruction: int) -> None:
    """A processor or core turns to one of its warps, whose next instruction is in this row of the table of
    instructions; -1 where it has executed everything."""


@hook(TELL)
def turns_aside(gpu: Gpu, u: int) -> None:
    """Unit u interrupts its work for something else, such as a fetch of code for another warp."""


@hook(TELL)
def turns_back(gpu: Gpu, u: int) -> None:
    """Unit u resumes the work that it interrupted."""


@hook(TELL)
def lends(gpu: Gpu, u: int) -> None:
    """The unit whose turn it is is about to count in the registers of unit u."""


@hook(TELL)
def returns(gpu: Gpu, u: int) -> None:
    """The unit whose turn it is has counted in the registers of unit u, on its own account."""


@hook(TELL)
def looked(gpu: Gpu, times: int) -> None:
    """Some samples of all queues were taken between which nothing happened."""


@hook(TELL)
def tile_written(gpu: Gpu, commands: Commands, r: int, tile: int, t: int) -> None:
    """The colours of a tile of Raster Unit r were written, or those of a pass on a machine without tiles."""


@hook(TELL)
def run_ends(gpu: Gpu, t: int) -> None:
    """The frame is finished in the cycle before t."""


@hook(TELL)
def frame_end(gpu: Gpu, commands: Commands, t: int) -> None:
    """The last tile of the last pass was flushed."""
