"""L-values: what can be read, and written if the checker allows."""

from dataclasses import dataclass

from ..ssa import Operand
from ..typed import Variable
from ..types import Type
from .state import Leaves


@dataclass(frozen=True, slots=True)
class LValue:
    """Part of a variable, or of a value that is no variable (``leaves``).

    ``offset`` counts registers from the variable's first; ``dynamic`` is a run-time addition to it. In uniform
    blocks ``offset`` counts bytes, ``dynamic`` vec4 slots, and ``row_major`` tells how matrices are stored.
    ``components`` chooses components of the one register that is left, ``component`` one at run time.
    """

    variable: Variable | None
    type: Type
    offset: int = 0
    dynamic: Operand | None = None
    components: tuple[int, ...] | None = None
    component: Operand | None = None
    leaves: Leaves = ()
    row_major: bool = False
