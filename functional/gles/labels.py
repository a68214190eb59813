"""Names that applications give to their geometry (KHR_debug, EXT_debug_marker, EXT_debug_label)."""

from __future__ import annotations

from .context import Context


def object_label(context: Context) -> str:
    """Name of the current geometry: the open debug groups, else the label of the vertex array object, else of the index
    buffer, else of the first attribute's buffer; "" if there is none."""
    if context.debug_groups:
        return "/".join(context.debug_groups)
    arrays = context.state.vertex_array
    labels = [arrays.label, arrays.element_buffer.label if arrays.element_buffer is not None else ""]
    labels += [a.buffer.label for a in arrays.attributes if a.enabled and a.buffer is not None]
    return next((label for label in labels if label), "")
