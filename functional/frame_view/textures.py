"""Textures that draws sample, as small pictures of their levels; each texture once for every content that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..opengl import enums as gl
from ..pipeline.command import DrawCommand
from ..pipeline.sampler import Sampler

LARGEST, SMALLER = 256, 64
"""Longest sides in pixels of pictures of the base level, and of other levels and of layers."""
MAX_LAYERS = 6


@dataclass(frozen=True)
class TextureLevel:
    """One image of a texture.

    Attributes
    ----------
    level, layer
        Numbers of both.
    width, height
        Size in texels.
    picture
        uint8, (height, width, 4): the image made smaller where it is large, row 0 of the texture first.
    """

    level: int
    layer: int
    width: int
    height: int
    picture: NDArray[np.uint8]


@dataclass(frozen=True)
class SeenTexture:
    """A texture with one content.

    Attributes
    ----------
    surface
        Number of the texture in the recording, which it also has as an attachment.
    name
        In the API; 0 for a default texture, None if it is no longer bound to any unit.
    levels
        Images of the base level, then those of smaller ones; up to `MAX_LAYERS` layers of each.
    layers
        How many the base level has.
    """

    surface: int
    name: int | None
    target: str
    layers: int
    levels: tuple[TextureLevel, ...]


@dataclass
class Textures:
    """Textures met so far.

    Attributes
    ----------
    seen
        Each with its place in this list.
    """

    seen: list[SeenTexture] = field(default_factory=list)
    _places: dict[tuple[int, int, int, int], int] = field(default_factory=dict)

    def bound(self, command: DrawCommand, named: Mapping[int, int]) -> list[dict[str, Any]]:
        """The samplers of a draw: name, stage, state, and the place of their texture in `seen`.

        Parameters
        ----------
        command
            The draw.
        named
            Names of textures in the API, by their numbers in the recording.
        """
        names = _sampler_names(command)
        rows = []
        both = command.state.samplers
        for stage, samplers in (("vertex", both.vertex), ("fragment", both.fragment)):
            for number, sampler in enumerate(samplers):
                name = names.get((stage, number), f"sampler {number}")
                rows.append(
                    {"name": name, "stage": stage, "texture": self._place(sampler, named), **_parameters(sampler)}
                )
        return rows

    def _place(self, sampler: Sampler, named: Mapping[int, int]) -> int | None:
        if sampler.storage is None:
            return None
        key = sampler.surface, sampler.version, sampler.base_level, len(sampler.storage.offsets)
        if key not in self._places:
            self._places[key] = len(self.seen)
            self.seen.append(_seen(sampler, named.get(sampler.surface)))
        return self._places[key]


def _sampler_names(command: DrawCommand) -> dict[tuple[str, int], str]:
    names: dict[tuple[str, int], str] = {}
    for uniform in command.state.program.uniforms:
        for stage, numbers in uniform.samplers.items():
            for element, number in enumerate(numbers):
                if number >= 0:
                    names[stage, number] = f"{uniform.name}[{element}]" if uniform.array_size else uniform.name
    return names


def _parameters(sampler: Sampler) -> dict[str, Any]:
    wraps = [gl.WRAPS[w] for w in (sampler.wrap_s, sampler.wrap_t, sampler.wrap_r)]
    return {
        "min": gl.FILTERS[sampler.min_filter],
        "mag": gl.FILTERS[sampler.mag_filter],
        "wrap": " ".join(wraps if sampler.target == "3d" else wraps[:2]),
        **({"anisotropy": sampler.anisotropy} if sampler.anisotropy > 1 else {}),
        **({"compare": gl.COMPARISONS[gl.NEVER + sampler.compare]} if sampler.compare >= 0 else {}),
        **({"LOD": f"{sampler.min_lod:g} to {sampler.max_lod:g}"} if _limits_lod(sampler) else {}),
    }


def _limits_lod(sampler: Sampler) -> bool:
    return sampler.min_lod != -1000 or sampler.max_lod != 1000


def _seen(sampler: Sampler, name: int | None) -> SeenTexture:
    storage = sampler.storage
    assert storage is not None
    texels, levels = storage.texels, []
    for number, first in enumerate(storage.offsets.tolist()):
        width, height, layers = (int(sizes[number]) for sizes in (storage.widths, storage.heights, storage.layers))
        for layer in range(min(layers, MAX_LAYERS)):
            begin = first + 4 * width * height * layer
            image = texels[begin : begin + 4 * width * height].reshape(height, width, 4)
            most = LARGEST if number == 0 and layers == 1 else SMALLER
            levels.append(TextureLevel(sampler.base_level + number, layer, width, height, _small(image, most)))
    return SeenTexture(sampler.surface, name, sampler.target, int(storage.layers[0]), tuple(levels))


def _small(image: NDArray[Any], most: int) -> NDArray[np.uint8]:
    """An image of bytes in which every so-manieth texel remains, so that no side is longer than `most`."""
    step = -(-max(image.shape[:2]) // most)
    image = image[step // 2 :: step, step // 2 :: step] if step > 1 else image
    if image.dtype == np.float32:
        image = np.clip(np.nan_to_num(image), 0, 1) * 255 + 0.5
    return np.ascontiguousarray(np.clip(image, 0, 255).astype(np.uint8))
