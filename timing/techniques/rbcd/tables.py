"""Objects and faces of primitives for the RBCD unit, and room for what it finds, from the activity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...loading.source import ActivityError
from .deferred_culling import counted, tagged
from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]

PRIMITIVE = np.dtype([("object", "i4"), ("tagged", "i1")], align=True)
PAIR = np.dtype(
    [(name, "i4") for name in ("tile", "place", "front", "back", "z_front", "z_back")] + [("overflow", "i1")],
    align=True,
)
COUNTS = np.dtype([("pairs", "i8")], align=True)
MAX_PAIRS = 1 << 24
NO_OBJECT = -1
LABEL_BYTES = 64


class Tables(NamedTuple):
    """The technique's tables of a frame.

    `primitive`: number of its object, or NO_OBJECT; whether it is drawn only to be found. `primitive_of`: that of each
    quad. `pair`: of which `counts[0].pairs` rows the machine has filled in. `object`, `label`: of the objects by
    number, as the activity has them. `render_pass`, `tile`, `log`: the frame's.
    """

    primitive: Array
    primitive_of: Array
    pair: Array
    counts: Array
    object: Array
    label: Array
    render_pass: Array
    tile: Array
    log: Array


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.loaded.Loaded`."""
    own = configuration.of(Parameters)
    rows = source.draws.rows
    count = counted(source.recorded, source.passes.rows, own.passes)
    number, objects, labels = _objects(rows, count, own.same_label == "one_object")
    if len(objects) > 1 << own.object_bits:
        raise ActivityError(
            f"frame {source.frame} has {len(objects)} collisionable objects, more than {own.object_bits} bits tell "
            "apart; set technique.rbcd.object_bits"
        )
    primitive = np.zeros(len(frame.tiling.primitive), PRIMITIVE)
    primitive["object"] = NO_OBJECT
    place = source.primitives.place
    primitive["object"][place] = number[source.primitives.draw]
    primitive["tagged"][place] = tagged(source.primitive_rows)
    pairs = np.zeros(_room(primitive, frame, own), PAIR)
    names = np.zeros((len(labels), LABEL_BYTES), np.uint8)
    for name, label in zip(names, labels, strict=True):
        text = label.encode()[:LABEL_BYTES]
        name[: len(text)] = list(text)
    commands = frame.commands
    return Tables(
        primitive,
        frame.depth.quad["primitive"].copy(),
        pairs,
        np.zeros(1, COUNTS),
        np.array(objects, np.uint64),
        names,
        commands.render_pass,
        commands.tile,
        commands.log,
    )


def _objects(rows: Any, count: set[int], by_label: bool) -> tuple[Array, list[int], list[str]]:
    """Number of the object of each draw, or NO_OBJECT; of the objects, identity and label in the activity."""
    numbers_of_keys: dict[Any, int] = {}
    objects, labels = [], []
    number = np.full(len(rows), NO_OBJECT, np.int32)
    for place, row in enumerate(rows):
        if not row["collisionable"] or row["pass"] not in count:
            continue
        label = row["object_label"] or ""
        key = label if by_label and label else row["object"]
        if key not in numbers_of_keys:
            numbers_of_keys[key] = len(numbers_of_keys)
            objects.append(row["object"])
            labels.append(label)
        number[place] = numbers_of_keys[key]
    return number, objects, labels


def _room(primitive: Array, frame: Any, own: Any) -> int:
    """Pairs that can be found at most: at a pixel of two objects or more, those of its front faces and back faces."""
    quad = frame.depth.quad
    collides = np.flatnonzero(primitive["object"][quad["primitive"]] != NO_OBJECT)
    quad = quad[collides]
    if not len(quad):
        return 0
    passes = np.searchsorted(frame.commands.render_pass["last_primitive"], quad["primitive"], side="right")
    width = (int(quad["x"].max()) + 1) * 2
    row = passes.astype(np.int64) * (int(quad["y"].max()) + 1) * 2 + quad["y"].astype(np.int64) * 2
    _, row = np.unique(row, return_inverse=True)
    number = primitive["object"][quad["primitive"]]
    pixels, objects = [], []
    for lane in range(4):
        covered = np.flatnonzero(quad["coverage"] >> lane & 0x1111)
        across = quad["x"][covered].astype(np.int64) * 2 + (lane & 1)
        pixels.append((row[covered] * 2 + (lane >> 1)) * width + across)
        objects.append(number[covered])
    pixel, held = np.concatenate(pixels), np.concatenate(objects)
    order = np.argsort(pixel, kind="stable")
    pixel, held = pixel[order], held[order]
    starts = np.flatnonzero(np.diff(pixel, prepend=-1))
    if not len(starts):
        return 0
    several = np.minimum.reduceat(held, starts) != np.maximum.reduceat(held, starts)
    length = np.minimum(np.diff(starts, append=len(pixel)), own.list_length)
    most = length // 2 * ((length + 1) // 2)
    total = int(most.sum() if own.same_object == "reported" else most[several].sum())
    if total > MAX_PAIRS:
        raise ActivityError(f"collisions: {total} pairs of fragments may collide, more than the simulator holds")
    return total
