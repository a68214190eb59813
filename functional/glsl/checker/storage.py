"""Storage, interpolation and layout qualifiers of variables (sections 4.3 to 4.8)."""

from .. import syntax
from ..typed import Variable
from ..types import (
    ArrayType,
    BasicType,
    Field,
    StructType,
    Type,
    contains_sampler,
    leaf_types,
)
from .expressions import ExpressionChecker
from .scope import BlockName, MemberName

_ORDER_100 = ("invariant", "const", "attribute", "uniform", "varying", "precision")
_RANKS_300 = {"layout": 0, "invariant": 0, "flat": 1, "smooth": 1, "noperspective": 1, "centroid": 2, "precision": 4}
_PRECISIONS = ("lowp", "mediump", "highp")


class StorageChecker(ExpressionChecker):
    """Applies the qualifiers of a variable."""

    def check_qualifier_order(self, qualifiers: syntax.Qualifiers) -> None:
        """The fixed order of section 4.7 (ESSL 1.00) or 4.8 (ESSL 3.00)."""
        order = ["precision" if q in _PRECISIONS else q for q in qualifiers.order]
        if self.version >= 300:
            ranks = [_RANKS_300.get(q, 3) for q in order]
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
        if storage == "attribute" or (storage == "in" and self.stage == "vertex"):
            self._attribute(variable, storage, node)
        elif storage == "varying" or (storage in ("in", "out") and (storage, self.stage) != ("out", "fragment")):
            self._varying(variable, storage, node)
        elif storage == "out":
            self._fragment_output(variable, node)
        elif storage == "uniform":
            variable.storage = "uniform"
        elif contains_sampler(of):
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
            allowed = {"location", "binding"} if contains_sampler(variable.type) else {"location"}
        layout = qualifiers.layout
        if not layout or not layout.keys() <= allowed or None in layout.values():
            self.fail(f"{variable.name} cannot have this layout", node)
        variable.location, variable.binding = layout.get("location"), layout.get("binding")

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
        bases = {leaf.base for leaf in leaf_types(of)}
        if not plain or contains_sampler(of) or "bool" in bases:
            self.fail(f"{variable.name} cannot be passed between stages: {of.name}", node)
        if bases & {"int", "uint"} and variable.interpolation != "flat":
            self.fail(f"{variable.name} holds integers and must be flat", node)

    def _fragment_output(self, variable: Variable, node: syntax.Declarator) -> None:
        of = variable.type
        inner = of.element if isinstance(of, ArrayType) else of
        if not isinstance(inner, BasicType) or inner.is_matrix or inner.base == "bool":
            self.fail(f"a fragment shader's output cannot be {of.name}", node)
        variable.storage, variable.semantic = "out", "color"

    def check_block(self, node: syntax.InterfaceBlock) -> None:
        """Declare a uniform block (section 4.3.7)."""
        qualifiers = node.qualifiers
        if [q for q in qualifiers.order if q != "layout"] != ["uniform"]:
            self.fail("a block must be uniform and have no other qualifier", node)
        self.check_qualifier_order(qualifiers)
        self.check_new_name(node.name, node)
        if self.scopes.find_here(node.name) is not None:
            self.fail(f"{node.name} is already declared in this scope", node)
        layout = dict(self.block_layout)
        layout.update(self._block_layout(qualifiers))
        of: Type = self._block_type(node, layout["matrix"] == "row_major")
        if node.instance is not None:
            if len(node.instance.sizes) > 1:
                self.fail("arrays of arrays of blocks are not part of the language", node)
            of = self.apply_sizes(of, node.instance.sizes, node.instance)
        name = node.instance.name if node.instance else node.name
        variable = Variable(name, of, "uniform", block=node.name, layout=layout["packing"], line=node.line)
        variable.named, variable.binding = node.instance is not None, qualifiers.layout.get("binding")
        self.scopes.declare(node.name, BlockName())
        if node.instance is not None:
            self.declare_variable(variable, node.instance)
        else:
            assert isinstance(of, StructType)
            for index, member in enumerate(of.fields):
                if self.scopes.find_here(member.name) is not None:
                    self.fail(f"{member.name} is already declared in this scope", node)
                self.scopes.declare(member.name, MemberName(variable, index))
        self.shader.globals.append(variable)

    def check_default_layout(self, node: syntax.QualifierDeclaration) -> None:
        """``layout(…) uniform;``: the defaults of later blocks."""
        if node.qualifiers.order[-1] != "uniform" or "layout" not in node.qualifiers.order:
            self.fail("qualifiers without a declaration", node)
        if len([q for q in node.qualifiers.order if q != "layout"]) > 1:
            self.fail("qualifiers without a declaration", node)
        self.block_layout.update(self._block_layout(node.qualifiers))

    def _block_layout(self, qualifiers: syntax.Qualifiers, member: bool = False) -> dict[str, str]:
        """Packing and matrix order that a layout qualifier names."""
        chosen: dict[str, str] = {}
        for name, value in qualifiers.layout.items():
            if name == "binding" and self.version >= 310 and not member and value is not None:
                continue
            if name in ("row_major", "column_major"):
                chosen["matrix"] = name
            elif name in ("std140", "shared", "packed") and not member:
                chosen["packing"] = name
            else:
                self.fail(f"layout {name} does not apply here", qualifiers)
            if value is not None:
                self.fail(f"layout {name} takes no value", qualifiers)
        return chosen

    def _block_type(self, node: syntax.InterfaceBlock, row_major: bool) -> StructType:
        fields: list[Field] = []
        for member in node.members:
            for qualifier in member.qualifiers.order:
                if qualifier not in (*_PRECISIONS, "layout", "uniform"):
                    self.fail(f"members of blocks cannot be {qualifier}", member)
            self.check_qualifier_order(member.qualifiers)
            order = self._block_layout(member.qualifiers, member=True).get("matrix")
            stored = row_major if order is None else order == "row_major"
            for field in self.member_fields(member):
                if contains_sampler(field.type):
                    self.fail("blocks cannot contain samplers", member)
                fields.append(Field(field.name, field.type, field.precision, stored))
        names = [field.name for field in fields]
        if not fields or len(set(names)) < len(names):
            self.fail("a block needs members with distinct names", node)
        return StructType(node.name, tuple(fields))
