"""Storage, interpolation and layout qualifiers of variables (sections 4.3 to 4.8)."""

from ...opengl.limits import (
    MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
    MAX_COUNTER_BUFFER_BYTES,
    MAX_IMAGE_UNITS,
    MAX_TEXTURE_UNITS,
)
from .. import syntax
from ..block_layout import COMPONENT_BYTES
from ..typed import Variable
from ..types import (
    ArrayType,
    Base,
    BasicType,
    ImageType,
    StructType,
    Type,
    contains_counter,
    contains_image,
    contains_opaque,
    leaf_count,
    leaf_types,
)
from .expressions import ExpressionChecker

_ORDER_100 = ("invariant", "const", "attribute", "uniform", "varying", "precision")
_RANKS_300 = {"layout": 0, "invariant": 0, "flat": 1, "smooth": 1, "noperspective": 1, "centroid": 2, "precision": 4}
PRECISIONS = ("lowp", "mediump", "highp")
IMAGE_FORMATS: dict[str, Base] = {
    **dict.fromkeys(("rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm"), "float"),
    **dict.fromkeys(("rgba32i", "rgba16i", "rgba8i", "r32i"), "int"),
    **dict.fromkeys(("rgba32ui", "rgba16ui", "rgba8ui", "r32ui"), "uint"),
}
"""Format qualifiers of images, with the type of their components (ESSL 3.10, 4.4.6.2)."""


class StorageChecker(ExpressionChecker):
    """Applies the qualifiers of a variable."""

    def check_qualifier_order(self, qualifiers: syntax.Qualifiers) -> None:
        """The fixed order of section 4.7 (ESSL 1.00) or 4.8 (ESSL 3.00); any order since ESSL 3.10 (4.10)."""
        if self.version >= 310:
            return
        order = ["precision" if q in PRECISIONS else q for q in qualifiers.order]
        if self.version == 300:
            ranks = [_RANKS_300.get(q, 3) for q in order]
            if order.count("layout") > 1:
                self.fail("there are two layout qualifiers", qualifiers)
        else:
            for qualifier in order:
                if qualifier not in _ORDER_100:
                    self.fail(f"qualifier {qualifier!r} cannot stand here", qualifiers)
            ranks = [_ORDER_100.index(q) for q in order]
        if sorted(ranks) != ranks:
            self.fail("qualifiers are in the wrong order", qualifiers)

    def check_storage(self, variable: Variable, qualifiers: syntax.Qualifiers, node: syntax.Declarator) -> None:
        """Set the variable's storage, interpolation and layout.

        Raises
        ------
        ShaderError
            If its type is not allowed with its qualifiers.
        """
        storage, of, name = qualifiers.storage, variable.type, variable.name
        if storage and not self.scopes.at_global:
            self.fail(f"{storage} variables are declared at global scope only", node)
        if storage and node.initializer is not None:
            self.fail(f"{storage} variables take no initializer", node)
        if self.version >= 300:
            self._check_qualifiers_300(variable, qualifiers, node)
        elif qualifiers.invariant and storage != "varying":
            self.fail(f"{name} cannot be invariant", node)
        if storage in ("in", "out") and self.stage == "compute":
            self.fail("compute shaders have no inputs and outputs of their own", node)
        if qualifiers.memory and not contains_image(of):
            self.fail(f"{name} cannot be {qualifiers.memory[0]}", node)
        if storage == "attribute" or (storage == "in" and self.stage == "vertex"):
            self._attribute(variable, storage, node)
        elif storage == "varying" or (storage in ("in", "out") and (storage, self.stage) != ("out", "fragment")):
            self._varying(variable, storage, node)
        elif storage == "out":
            self._fragment_output(variable, node)
        elif storage == "uniform":
            variable.storage = "uniform"
            if contains_image(of):
                self._image(variable, qualifiers, node)
            elif contains_counter(of):
                self._counter(variable, node)
        elif storage == "shared":
            self._shared(variable, node)
        elif storage == "buffer":
            self.fail("buffer variables are members of blocks", node)
        elif contains_opaque(of):
            self.fail("samplers are uniforms or parameters", node)

    def _check_qualifiers_300(self, variable: Variable, qualifiers: syntax.Qualifiers, node: syntax.Declarator) -> None:
        storage, name = qualifiers.storage, variable.name
        if storage == "inout" or (storage and qualifiers.constant):
            self.fail(f"{name} cannot be {' '.join(qualifiers.order)}", node)
        passed_on = storage and (storage, self.stage) in (("out", "vertex"), ("in", "fragment"))
        if (qualifiers.interpolation or qualifiers.centroid) and not passed_on:
            self.fail(f"{name} is not interpolated", node)
        if qualifiers.invariant and storage != "out":
            self.fail(f"{name} cannot be invariant", node)
        variable.interpolation = qualifiers.interpolation or "smooth"
        variable.centroid = qualifiers.centroid
        if "layout" in qualifiers.order:
            self._place(qualifiers, variable, node)

    def _place(self, qualifiers: syntax.Qualifiers, variable: Variable, node: syntax.Declarator) -> None:
        """Location and binding of a layout qualifier (ESSL 3.00, 4.3.8; ESSL 3.10, 4.4)."""
        storage, later, allowed = qualifiers.storage, self.version >= 310, set()
        if storage in ("in", "out") and (later or (storage, self.stage) in (("in", "vertex"), ("out", "fragment"))):
            allowed = {"location"}
        elif later and storage == "uniform":
            allowed = {"location", "binding"} if contains_opaque(variable.type) else {"location"}
            if contains_counter(variable.type):
                allowed = {"binding", "offset"}
        layout = dict(qualifiers.layout)
        if storage == "uniform" and contains_image(variable.type):
            formats = [name for name in layout if name in IMAGE_FORMATS and layout[name] is None]
            variable.format = formats[0] if len(formats) == 1 else ""
            layout.pop(variable.format, None)
            if not layout and variable.format:
                return
        if not layout or not layout.keys() <= allowed or None in layout.values():
            self.fail(f"{variable.name} cannot have this layout", node)
        variable.location, variable.binding = layout.get("location"), layout.get("binding")
        variable.offset_bytes = layout.get("offset")
        self._check_binding(variable, node)

    def _check_binding(self, variable: Variable, node: syntax.Declarator) -> None:
        """The units or buffers of an opaque uniform exist (ESSL 3.10, 4.4.4 and 4.4.5)."""
        of, count = variable.type, leaf_count(variable.type)
        most = MAX_IMAGE_UNITS if contains_image(of) else MAX_TEXTURE_UNITS
        if contains_counter(of):
            most, count = MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 1
        if variable.binding is not None and variable.binding + count > most:
            self.fail(f"{variable.name}: binding {variable.binding} is not among {most}", node)

    def _image(self, variable: Variable, qualifiers: syntax.Qualifiers, node: syntax.Declarator) -> None:
        """Format and access of an image (ESSL 3.10, 4.4.6.2 and 4.9)."""
        of, access = variable.type, frozenset(qualifiers.memory)
        variable.access = access
        image = of.element if isinstance(of, ArrayType) else of
        assert isinstance(image, ImageType)
        if not variable.format:
            self.fail(f"{variable.name} needs a format", node)
        elif IMAGE_FORMATS[variable.format] != image.base:
            self.fail(f"{variable.name}: {image.name} cannot have format {variable.format}", node)
        elif variable.format not in ("r32f", "r32i", "r32ui") and not access & {"readonly", "writeonly"}:
            self.fail(f"{variable.name} must be readonly or writeonly", node)

    def set_counter_offset(self, node: syntax.VariableDeclaration) -> None:
        """Set where the next counter of a binding lies, by a declaration without a name (ESSL 3.10, 4.4.6)."""
        layout = node.qualifiers.layout
        binding, offset = layout.get("binding"), layout.get("offset")
        if node.qualifiers.storage != "uniform" or binding is None or not layout.keys() <= {"binding", "offset"}:
            self.fail("a declaration without a name needs a binding of atomic counters", node)
        if binding >= MAX_ATOMIC_COUNTER_BUFFER_BINDINGS:
            self.fail(f"binding {binding} is not among {MAX_ATOMIC_COUNTER_BUFFER_BINDINGS}", node)
        if offset is not None:
            if offset % COMPONENT_BYTES:
                self.fail(f"offset {offset} is not possible", node)
            self.counter_offsets[binding] = offset

    def _counter(self, variable: Variable, node: syntax.Declarator) -> None:
        """Place of an atomic counter in the buffer of its binding (ESSL 3.10, 4.4.6)."""
        if variable.binding is None:
            self.fail(f"{variable.name} needs a binding", node)
        following = self.counter_offsets.get(variable.binding, 0)
        first = variable.offset_bytes if variable.offset_bytes is not None else following
        size = 4 * (variable.type.size if isinstance(variable.type, ArrayType) else 1)
        taken = self.counters_taken.setdefault(variable.binding, set())
        if first + size > MAX_COUNTER_BUFFER_BYTES:
            self.fail(f"{variable.name} does not fit into {MAX_COUNTER_BUFFER_BYTES} bytes", node)
        if first % 4 or taken & set(range(first, first + size)):
            self.fail(f"{variable.name}: offset {first} is not possible", node)
        taken |= set(range(first, first + size))
        variable.offset_bytes, self.counter_offsets[variable.binding] = first, first + size

    def _shared(self, variable: Variable, node: syntax.Declarator) -> None:
        if self.stage != "compute":
            self.fail("shared variables belong to compute shaders", node)
        if contains_opaque(variable.type):
            self.fail(f"a shared variable cannot be {variable.type.name}", node)
        variable.storage = "shared"

    def _attribute(self, variable: Variable, storage: str, node: syntax.Declarator) -> None:
        if self.stage != "vertex":
            self.fail("attributes belong to vertex shaders", node)
        of = variable.type
        bases = ("float",) if storage == "attribute" else ("float", "int", "uint")
        if not isinstance(of, BasicType) or of.base not in bases:
            self.fail(f"an attribute cannot be {of.name}", node)
        variable.storage, variable.semantic = "in", "attribute"

    def _varying(self, variable: Variable, storage: str, node: syntax.Declarator) -> None:
        of = variable.type
        if storage == "varying":
            inner: Type = of.element if isinstance(of, ArrayType) else of
            if not isinstance(inner, BasicType) or inner.base != "float":
                self.fail(f"a varying cannot be {of.name}", node)
        else:
            self._check_varying_300(variable, node)
        variable.storage = "out" if self.stage == "vertex" else "in"
        variable.semantic = "varying"

    def _check_varying_300(self, variable: Variable, node: syntax.Declarator) -> None:
        """Sections 4.3.4 and 4.3.6: no bool, no arrays or structures inside structures, integers are flat."""
        of = variable.type
        if isinstance(of, StructType):
            plain = all(isinstance(member.type, BasicType) for member in of.fields)
        else:
            plain = isinstance(of.element if isinstance(of, ArrayType) else of, BasicType)
        bases = {leaf.base for leaf in leaf_types(of) if isinstance(leaf, BasicType)}
        if not plain or contains_opaque(of) or "bool" in bases:
            self.fail(f"{variable.name} cannot be passed between stages: {of.name}", node)
        if bases & {"int", "uint"} and variable.interpolation != "flat":
            self.fail(f"{variable.name} holds integers and must be flat", node)

    def _fragment_output(self, variable: Variable, node: syntax.Declarator) -> None:
        of = variable.type
        inner = of.element if isinstance(of, ArrayType) else of
        if not isinstance(inner, BasicType) or inner.is_matrix or inner.base == "bool":
            self.fail(f"a fragment shader's output cannot be {of.name}", node)
        variable.storage, variable.semantic = "out", "color"
