"""Inputs of a machine's own tables of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..engine.dispatch_tables import Compute
from .code import Code
from .draws import Draws
from .passes import Passes
from .primitives import Primitives


@dataclass(frozen=True)
class Source:
    """A frame as far as it is loaded.

    Parameters
    ----------
    rows
        Table `primitives` of the activity.
    draws, primitives, passes, code
        As loaded.
    quad
        Rows of `engine.frame.QUAD`.
    compute
        Dispatches.
    """

    rows: pa.Table
    draws: Draws
    primitives: Primitives
    passes: Passes
    code: Code
    quad: np.ndarray[Any, Any]
    compute: Compute
