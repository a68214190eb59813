"""Built-in functions on memory: atomics, images, counters and barriers (ESSL 3.10, 8.10 to 8.15)."""

_ATOMICS = ("Add", "Min", "Max", "And", "Or", "Xor", "Exchange")
_TARGETS = {"2D": 2, "3D": 3, "Cube": 3, "2DArray": 3}

COUNTERS = """
uint atomicCounterIncrement(atomic_uint); uint atomicCounterDecrement(atomic_uint); uint atomicCounter(atomic_uint)
"""
BARRIERS = """
void memoryBarrier(); void memoryBarrierAtomicCounter(); void memoryBarrierBuffer(); void memoryBarrierImage()
"""
BARRIERS_COMPUTE = "void barrier(); void memoryBarrierShared(); void groupMemoryBarrier()"
ATOMICS = "; ".join(
    [f"{of} atomic{name}({of}, {of})" for name in _ATOMICS for of in ("uint", "int")]
    + [f"{of} atomicCompSwap({of}, {of}, {of})" for of in ("uint", "int")]
)
IMAGES = "; ".join(
    f"gvec4 imageLoad(gimage{target}, ivec{n}); void imageStore(gimage{target}, ivec{n}, gvec4);"
    f" ivec{2 if target == 'Cube' else n} imageSize(gimage{target})"
    for target, n in _TARGETS.items()
)
IMAGE_ATOMICS = "; ".join(
    f"{of} imageAtomic{name}({prefix}image{target}, ivec{n}, {of})"
    for name in _ATOMICS
    for target, n in _TARGETS.items()
    for prefix, of in (("u", "uint"), ("i", "int"))
)
IMAGE_COMPARISONS = "; ".join(
    f"{of} imageAtomicCompSwap({prefix}image{target}, ivec{n}, {of}, {of})"
    for target, n in _TARGETS.items()
    for prefix, of in (("u", "uint"), ("i", "int"))
)
IMAGE_EXCHANGES = "; ".join(
    f"float imageAtomicExchange(image{target}, ivec{n}, float)" for target, n in _TARGETS.items()
)

OPCODES = {
    "Add": "ATOMUADD",
    "Min": "ATOMIMIN",
    "Max": "ATOMIMAX",
    "And": "ATOMAND",
    "Or": "ATOMOR",
    "Xor": "ATOMXOR",
    "Exchange": "ATOMXCHG",
    "CompSwap": "ATOMCAS",
}
"""Opcode of each atomic operation; minimum and maximum of unsigned numbers have their own."""


def atomic_operation(name: str) -> str:
    """The operation of an atomic function, such as "Add"; "" for any other function."""
    for prefix in ("imageAtomic", "atomic"):
        operation = name.removeprefix(prefix)
        if operation != name and operation in OPCODES:
            return operation
    return ""


def is_barrier(name: str) -> bool:
    """Whether a function orders accesses and does nothing else."""
    return name.endswith("arrier") or "emoryBarrier" in name


def uses_memory(name: str) -> bool:
    """Whether a built-in function reads or writes memory, or orders accesses to it."""
    return bool(atomic_operation(name)) or is_barrier(name) or name.startswith(("image", "atomicCounter"))


def writes_memory(name: str) -> bool:
    """Whether evaluating a built-in function changes anything."""
    return uses_memory(name) and name not in ("imageLoad", "imageSize", "atomicCounter")
