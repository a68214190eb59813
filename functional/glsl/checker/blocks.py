"""Uniform and storage blocks (section 4.3.7 of ESSL 3.00, 4.3.9 of ESSL 3.10), and qualifiers of whole shaders."""

from dataclasses import replace

from ...opengl.enums import ADVANCED_EQUATIONS
from ...opengl.limits import (
    MAX_INVOCATIONS,
    MAX_SHADER_STORAGE_BUFFER_BINDINGS,
    MAX_UNIFORM_BUFFER_BINDINGS,
    MAX_WORK_GROUP_SIZES,
)
from .. import syntax
from ..builtin_variables import work_group_size
from ..typed import Variable
from ..types import ArrayType, Field, StructType, Type, contains_opaque
from .scope import BlockName, MemberName
from .storage import PRECISIONS, StorageChecker

_LOCAL_SIZES = ("local_size_x", "local_size_y", "local_size_z")


class BlockChecker(StorageChecker):
    """Declares blocks."""

    def check_block(self, node: syntax.InterfaceBlock) -> None:
        """Declare a block."""
        qualifiers = node.qualifiers
        storage = qualifiers.storage
        plain = [q for q in qualifiers.order if q not in ("layout", *syntax.MEMORY_QUALIFIERS)]
        buffer = self.version >= 310 and storage == "buffer"
        if plain != [storage] or not (storage == "uniform" or buffer) or (qualifiers.memory and not buffer):
            self.fail("a block must be uniform or buffer and have no other qualifier", node)
        self.check_qualifier_order(qualifiers)
        self.check_new_name(node.name, node)
        if self.scopes.find_here(node.name) is not None:
            self.fail(f"{node.name} is already declared in this scope", node)
        layout = dict(self.block_layout[storage])
        layout.update(self._block_layout(qualifiers))
        of: Type = self._block_type(node, layout["matrix"] == "row_major")
        if node.instance is not None:
            if len(node.instance.sizes) > 1:
                self.fail("arrays of arrays of blocks are not part of the language", node)
            of = self.apply_sizes(of, node.instance.sizes, node.instance)
        name = node.instance.name if node.instance else node.name
        variable = Variable(name, of, "buffer" if buffer else "uniform", block=node.name, layout=layout["packing"])
        variable.line, variable.access = node.line, frozenset(qualifiers.memory)
        variable.named, variable.binding = node.instance is not None, qualifiers.layout.get("binding")
        most = MAX_SHADER_STORAGE_BUFFER_BINDINGS if buffer else MAX_UNIFORM_BUFFER_BINDINGS
        if (variable.binding or 0) + (of.size if isinstance(of, ArrayType) else 1) > most:
            self.fail(f"{node.name}: binding {variable.binding} is not among {most}", node)
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
        """Check qualifiers without a declaration: defaults of later blocks, or properties of the shader."""
        qualifiers = node.qualifiers
        if qualifiers.storage == "out" and self.stage == "fragment":
            self._check_blend_support(qualifiers)
            return
        self.check_qualifier_order(qualifiers)
        if not qualifiers.storage or "layout" not in qualifiers.order:
            self.fail("qualifiers without a declaration", node)
        if len([q for q in qualifiers.order if q != "layout"]) > 1:
            self.fail("qualifiers without a declaration", node)
        if qualifiers.storage in self.block_layout:
            if "binding" in qualifiers.layout:
                self.fail("a binding belongs to one block", node)
            self.block_layout[qualifiers.storage].update(self._block_layout(qualifiers))
        elif qualifiers.storage == "in" and self.version >= 310:
            self._check_shader_layout(qualifiers)
        else:
            self.fail("qualifiers without a declaration", node)

    def _check_blend_support(self, qualifiers: syntax.Qualifiers) -> None:
        """``layout(blend_support_…) out;``: the advanced equations that colours may be blended by; all of them are part
        of ESSL 3.20."""
        if self.version < 320 and "GL_KHR_blend_equation_advanced" not in self.extensions:
            self.fail("blend_support needs the extension GL_KHR_blend_equation_advanced", qualifiers)
        if sorted({*qualifiers.order}) != ["layout", "out"] or not qualifiers.layout:
            self.fail("qualifiers without a declaration", qualifiers)
        for name, value in qualifiers.layout.items():
            equation = name.removeprefix("blend_support_").upper()
            if value is not None or not name.startswith("blend_support_"):
                self.fail(f"layout {name} does not apply to a fragment shader", qualifiers)
            if equation == "ALL_EQUATIONS":
                self.shader.blend_support |= ADVANCED_EQUATIONS.keys()
            elif equation in ADVANCED_EQUATIONS and name.islower():
                self.shader.blend_support.add(equation)
            else:
                self.fail(f"{name} is no blend equation", qualifiers)

    def _check_shader_layout(self, qualifiers: syntax.Qualifiers) -> None:
        """``layout(…) in;``: the size of work groups, or early tests (ESSL 3.10, 4.4.1.1 and 4.4.1.2)."""
        layout = qualifiers.layout
        if self.stage == "fragment" and layout == {"early_fragment_tests": None}:
            self.shader.early_tests = True
            return
        if self.stage != "compute" or not layout or not layout.keys() <= set(_LOCAL_SIZES):
            self.fail(f"layout {', '.join(layout)} does not apply to a {self.stage} shader", qualifiers)
        sizes = [1 if name not in layout else layout[name] or 0 for name in _LOCAL_SIZES]
        x, y, z = sizes
        limits = zip(sizes, MAX_WORK_GROUP_SIZES, strict=True)
        if not all(1 <= size <= most for size, most in limits) or x * y * z > MAX_INVOCATIONS:
            self.fail(f"a work group of {x} x {y} x {z} invocations is not possible", qualifiers)
        if self.shader.local_size not in (None, (x, y, z)):
            self.fail("the size of work groups is declared twice", qualifiers)
        self.shader.local_size = x, y, z
        size = work_group_size(x, y, z)
        self.scopes.declare_builtin(size.name, size)

    def _block_layout(self, qualifiers: syntax.Qualifiers, member: bool = False) -> dict[str, str]:
        """Packing and matrix order that a layout qualifier names."""
        chosen: dict[str, str] = {}
        packings = ["std140", "shared", "packed"]
        if qualifiers.storage == "buffer":
            packings.append("std430")
        for name, value in qualifiers.layout.items():
            if name == "binding" and self.version >= 310 and not member and value is not None:
                continue
            if name in ("row_major", "column_major"):
                chosen["matrix"] = name
            elif name in packings and not member:
                chosen["packing"] = name
            else:
                self.fail(f"layout {name} does not apply here", qualifiers)
            if value is not None:
                self.fail(f"layout {name} takes no value", qualifiers)
        return chosen

    def _block_type(self, node: syntax.InterfaceBlock, row_major: bool) -> StructType:
        storage, fields = node.qualifiers.storage, list[Field]()
        for number, member in enumerate(node.members):
            allowed = (*PRECISIONS, "layout", storage, *(syntax.MEMORY_QUALIFIERS if storage == "buffer" else ()))
            for qualifier in member.qualifiers.order:
                if qualifier not in allowed:
                    self.fail(f"members of blocks cannot be {qualifier}", member)
            self.check_qualifier_order(member.qualifiers)
            order = self._block_layout(member.qualifiers, member=True).get("matrix")
            stored = row_major if order is None else order == "row_major"
            last = storage == "buffer" and number == len(node.members) - 1
            access = frozenset((*node.qualifiers.memory, *member.qualifiers.memory))
            for field in self._last_member(member) if last else self.member_fields(member):
                if contains_opaque(field.type):
                    self.fail("blocks cannot contain samplers", member)
                fields.append(replace(field, row_major=stored, access=access))
        names = [field.name for field in fields]
        if not fields or len(set(names)) < len(names):
            self.fail("a block needs members with distinct names", node)
        return StructType(node.name, tuple(fields))

    def _last_member(self, member: syntax.VariableDeclaration) -> list[Field]:
        """Members of the last declaration of a storage block, where the last array needs no size (ESSL 3.10, 4.1.9)."""
        declarator = member.declarators[-1]
        sizes = [*declarator.sizes, *member.type.sizes]
        if not sizes or sizes[0] is not None:
            return self.member_fields(member)
        if len(member.declarators) > 1:
            self.fail("array size is missing", declarator)
        element = self.apply_sizes(self.element_type(member.type), sizes[1:], declarator)
        self.check_new_name(declarator.name, declarator)
        precision = self.precision_of(element, member.qualifiers, member)
        return [Field(declarator.name, ArrayType(element, 0), precision)]
