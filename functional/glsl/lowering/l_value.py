"""L-values: expressions that can be read, and written if the checker allows it."""

from dataclasses import dataclass

from ..block_layout import COMPONENT_BYTES, Layout
from ..ssa import Operand
from ..typed import Variable
from ..types import Type
from .state import Leaves


@dataclass(frozen=True, slots=True)
class LValue:
    """Part of a variable, or of a value that is not a variable (``leaves``).

    ``offset`` counts registers from the variable's first; ``dynamic`` is added to it at run time. In blocks and shared
    memory ``offset`` counts bytes, and ``layout`` says how values are stored; ``dynamic`` counts vec4 slots of uniform
    blocks, and bytes of the others. ``element`` is one of an array of storage blocks, ``spread`` the distance of a
    vector's components in memory. ``components`` selects components of the one remaining vector, ``component`` selects
    one at run time.
    """

    variable: Variable | None
    type: Type
    offset: int = 0
    dynamic: Operand | None = None
    components: tuple[int, ...] | None = None
    component: Operand | None = None
    leaves: Leaves = ()
    layout: Layout | None = None
    element: int = 0
    spread: int = COMPONENT_BYTES
