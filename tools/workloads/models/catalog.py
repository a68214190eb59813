"""The models by name."""

from __future__ import annotations

from collections.abc import Callable

from . import blob, chair, church, head, mask, simple, teapot
from .model import Model

MODELS: dict[str, Callable[[], Model]] = {
    "blob": blob.model,
    "chair": chair.model,
    "church": church.model,
    "cube": simple.cube,
    "head": head.model,
    "head-translucent": head.translucent,
    "mask": mask.model,
    "teapot": teapot.model,
    "triangles": simple.triangles,
}
