"""L-values: expressions that can be read, and written if the checker allows it."""

from dataclasses import dataclass

from ..ssa import Operand
from ..typed import Variable
from ..types import Type
from .state import Leaves


@dataclass(frozen=True, slots=True)
class LValue:
    """Part of a variable, or of a value that is not a variable (``leaves``).

    ``offset`` counts registers from the variable's first; ``dynamic`` is added to it at run time. In uniform
    blocks ``offset`` counts bytes, ``dynamic`` counts vec4 slots, and ``row_major`` says how matrices are stored.
    ``components`` selects components of the one remaining register, ``component`` selects one at run time.
    """

    variable: Variable | None
    type: Type
    offset: int = 0
    dynamic: Operand | None = None
    components: tuple[int, ...] | None = None
    component: Operand | None = None
    leaves: Leaves = ()
    row_major: bool = False
