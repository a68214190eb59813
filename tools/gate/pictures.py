"""Pictures of a gate: those that differ from the ones before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilegpu.functional.comparison import ImageError, compare_images, image_pairs, read_image


@dataclass(frozen=True)
class DifferentPicture:
    """A picture that differs, or that one folder lacks: its name, and in words how it differs."""

    name: str
    how: str


def different_pictures(before: Path, after: Path, tolerance: int) -> list[DifferentPicture]:
    """Pictures of two folders, or two files, that differ in any channel of any pixel by more than a tolerance.

    Raises
    ------
    ImageError
        They cannot be compared.
    """
    images = image_pairs(before, after)
    missing = [DifferentPicture(name, "is not there any more") for name in images.only_in_a]
    missing += [DifferentPicture(name, "was not there before") for name in images.only_in_b]
    return missing + [
        DifferentPicture(one.name, how) for one, other in images.pairs if (how := _difference(one, other, tolerance))
    ]


def _difference(before: Path, after: Path, tolerance: int) -> str:
    try:
        compared = compare_images(read_image(before), read_image(after), tolerance)
    except ImageError as error:
        if "size" in str(error):
            return str(error)
        raise
    if compared.maximum <= tolerance:
        return ""
    return f"{compared.over_tolerance_percent:.3g} % of pixels differ, by {compared.maximum} of 255 at most"
