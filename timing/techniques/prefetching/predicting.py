"""Questions of a prefetcher to its predictor, and the declaration of one.

`assembly.policies` puts in the place of each function here one that calls the predictor whose number the prefetcher has
in its register `predictor`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group

from ...engine.jit import inline

if TYPE_CHECKING:
    from .state import Prefetcher

QUESTIONS = ["train"]
"""Names of the functions that a predictor has."""


@inline
def train(own: Prefetcher, instruction: int, warp: int, line: int) -> None:
    """An instruction of a warp has asked for a line. What the predictor expects next it tells by `tables.predict`."""


def no_set_up(own: Any, configuration: Any) -> None:
    """Registers that are set for all prefetchers."""


@dataclass(frozen=True)
class Predictor:
    """A predictor.

    Parameters
    ----------
    name
        Name of its module, value of `technique.prefetching.prefetcher`.
    title
        What it is and where it was published.
    train
        As the function of this name. Its tables are those of `state.Prefetcher`.
    set_up
        `set_up(own, configuration)`: sets registers of a prefetcher, such as its `degree`.
    parameters
        Its section of the configuration, `[<name>]`.
    """

    name: str
    title: str
    train: Callable[[Any, int, int, int], None]
    set_up: Callable[[Any, Any], None] = no_set_up
    parameters: type[Group] | None = None
