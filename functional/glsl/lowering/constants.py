"""Values of constant expressions: they are lowered like any other and fold to immediates."""

from ..errors import ShaderError
from ..ssa import bits_of
from ..typed import Expression
from .expressions import ExpressionLowering
from .state import NeedsArray


class ConstantEvaluationError(ValueError):
    """An expression whose value is not known at compile time."""


def evaluate_constant(expression: Expression) -> tuple[int, ...]:
    """Components of a constant expression.

    Returns
    -------
    tuple of int
        32-bit patterns, matrices column by column, members and elements in order.

    Raises
    ------
    ConstantEvaluationError
        If the expression does not fold.
    """
    lowering = ExpressionLowering("constant")
    try:
        leaves = lowering.value(expression)
    except (NeedsArray, NotImplementedError, ShaderError):
        raise ConstantEvaluationError("not a constant expression") from None
    if any(leaf.value.op != "IMM" for leaf in leaves):
        raise ConstantEvaluationError("not a constant expression")
    return tuple(bits for leaf in leaves for bits in bits_of(leaf))
