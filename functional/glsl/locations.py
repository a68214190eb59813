"""Attribute locations (OpenGL ES 2.0, section 2.10.4)."""

from collections.abc import Mapping

from ..opengl.limits import MAX_VERTEX_ATTRIBS
from .compatibility import ATTRIBUTES, LOCATIONS
from .errors import LinkError
from .gl_types import gl_type
from .interface import Attribute
from .ssa import Code, Value
from .ssa.values import walk
from .typed import CheckedShader, Variable
from .types import leaf_count

MAXIMUM_ATTRIBUTES = MAX_VERTEX_ATTRIBS


def place_attributes(code: Code, shader: CheckedShader, bound: Mapping[str, int]) -> tuple[Attribute, ...]:
    """Locations of the attributes that the code reads, bound ones first.

    Only the programs of fixed functions bind locations behind the 16 that an application may.

    Raises
    ------
    LinkError
        If a bound attribute lies outside the 16 locations, or there is no room.
    """
    read = {n.data[0] for n in walk(code.nodes) if isinstance(n, Value) and n.op == "INPUT"}
    active = [v for v in shader.globals if v in read and v.semantic == "attribute"]
    places = ATTRIBUTES | dict(bound)
    # Location 0 is another name of gl_Vertex (OpenGL 2.0, 2.7).
    taken = {0} if any(v.name == "gl_Vertex" for v in active) else set()
    locations: dict[Variable, int] = {}
    for variable in active:
        location = variable.location if variable.location is not None else places.get(variable.name)
        if location is not None:
            span = range(location, location + leaf_count(variable.type))
            named = variable.location is None and location >= MAXIMUM_ATTRIBUTES
            if not location >= 0 or span.stop > (LOCATIONS if named else MAXIMUM_ATTRIBUTES):
                raise LinkError(f"attribute {variable.name} does not fit at location {location}")
            if shader.version >= 300 and taken & set(span):
                raise LinkError(f"attribute {variable.name} overlaps another one at location {location}")
            taken.update(span)
            locations[variable] = location
    for variable in sorted((v for v in active if v not in locations), key=lambda v: -leaf_count(v.type)):
        count = leaf_count(variable.type)
        candidates = range(MAXIMUM_ATTRIBUTES - count + 1)
        start = next((i for i in candidates if not taken & set(range(i, i + count))), None)
        if start is None:
            raise LinkError(f"attribute {variable.name} does not fit in {MAXIMUM_ATTRIBUTES} locations")
        taken.update(range(start, start + count))
        locations[variable] = start
    return tuple(Attribute(v.name, gl_type(v.type), 1, locations[v]) for v in active)
