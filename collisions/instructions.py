"""Code that the CPU executes for each operation of collision detection, in instructions of a scalar floating-point
unit.

Counts follow Bullet's source (LinearMath, BulletCollision) as a compiler turns plain C++ into VFPv3 code: a load per
component, a compare as VCMP and VMRS, and no vector instructions. What Bullet's source does not settle is an estimate.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from tilegpu.timing.declare.parameters import Group, number


class Operation(Group):
    """Instructions of one operation, and the longest chain of them in which each waits for the one before."""

    loads: int = number(0, "instructions", "loads", 0)
    stores: int = number(0, "instructions", "stores", 0)
    multiplies: int = number(0, "instructions", "multiplications", 0)
    adds: int = number(0, "instructions", "additions and subtractions", 0)
    compares: int = number(0, "compares", "compares, two instructions each: the compare, and its flags to the core", 0)
    moves: int = number(0, "instructions", "moves between floating-point registers, conditional ones among them", 0)
    divides: int = number(0, "instructions", "divisions", 0)
    others: int = number(0, "instructions", "integer instructions and branches", 0)
    chain_multiplies: int = number(0, "instructions", "multiplications of the chain", 0)
    chain_adds: int = number(0, "instructions", "additions of the chain", 0)
    chain_compares: int = number(0, "compares", "compares of the chain", 0)
    scale_percent: int = number(100, "%", "instructions and cycles of the operation against those above", 1, 10_000)

    @property
    def memory(self) -> int:
        """Loads and stores."""
        return self.loads + self.stores

    @property
    def floats(self) -> int:
        """Instructions of the floating-point unit."""
        return self.multiplies + self.adds + 2 * self.compares + self.moves + self.divides


def _operation(description: str, plausible: tuple[int, int] = (50, 200), **counts: int) -> Any:
    """Field of an operation; `plausible`: the range of its `scale_percent`."""
    return Field(
        default=Operation(**counts),
        description=description,
        json_schema_extra={"unit": "instructions", "plausible": list(plausible)},
    )


class Operations(Group):
    """Every operation that is counted."""

    object_update: Operation = _operation(
        "an object's bounding box is asked for and handed to the broad phase: two virtual calls, margins, proxy "
        "(btCollisionWorld::updateSingleAabb); estimate",
        loads=24,
        stores=12,
        adds=12,
        others=40,
    )
    aabb_vertex: Operation = _operation(
        "a vertex against the least and largest x, y and z: three loads, six compares with a conditional move; a "
        "vector unit takes a quarter of it",
        (25, 150),
        loads=3,
        compares=6,
        moves=6,
        others=2,
    )
    support_vertex: Operation = _operation(
        "a vertex against the farthest along a direction: a dot product, a compare, and a conditional move of distance "
        "and index (btVector3::maxDot); a vector unit takes a quarter of it",
        (25, 150),
        loads=3,
        multiplies=3,
        adds=2,
        compares=1,
        moves=1,
        others=3,
        chain_multiplies=1,
        chain_adds=2,
        chain_compares=1,
    )
    pair: Operation = _operation(
        "a pair of proxies: pointers, loop, and the call of the test (btSimpleBroadphase::calculateOverlappingPairs)",
        loads=4,
        others=10,
    )
    comparison: Operation = _operation(
        "a comparison of two sides of bounding boxes: both are loaded, compared, and branched on "
        "(btSimpleBroadphase::aabbOverlap)",
        loads=2,
        compares=1,
        others=1,
        chain_compares=1,
    )
    sort_move: Operation = _operation(
        "an end point moves by one place in the sorted list (btAxisSweep3Internal::sortMinDown); estimate",
        loads=6,
        stores=6,
        others=12,
    )
    overlap: Operation = _operation(
        "an overlapping pair is looked up in the hashed pair cache, or added to it (btHashedOverlappingPairCache); "
        "estimate",
        loads=15,
        stores=8,
        others=40,
    )
    narrow_pair: Operation = _operation(
        "an overlapping pair is dispatched: algorithm, manifold, transforms and GJK's start "
        "(btConvexConvexAlgorithm::processCollision); estimate",
        loads=90,
        stores=70,
        multiplies=18,
        adds=18,
        moves=10,
        others=160,
    )
    gjk_iteration: Operation = _operation(
        "an iteration but for scanning and simplex: the direction into both objects' space and the points back, their "
        "difference, the tests for an end, two virtual calls (btGjkPairDetector::getClosestPointsNonVirtual)",
        loads=60,
        stores=30,
        multiplies=45,
        adds=40,
        compares=14,
        moves=12,
        others=60,
        chain_multiplies=3,
        chain_adds=8,
        chain_compares=2,
    )
    segment: Operation = _operation(
        "the nearest point of a segment (btVoronoiSimplexSolver::updateClosestVectorAndPoints, two vertices)",
        loads=18,
        stores=12,
        multiplies=15,
        adds=28,
        compares=2,
        divides=1,
        others=20,
        chain_multiplies=3,
        chain_adds=6,
        chain_compares=2,
    )
    triangle: Operation = _operation(
        "the nearest point of a triangle (btVoronoiSimplexSolver::closestPtPointTriangle): six dot products, three "
        "areas, up to six regions",
        loads=27,
        stores=16,
        multiplies=48,
        adds=48,
        compares=14,
        divides=1,
        others=30,
        chain_multiplies=4,
        chain_adds=8,
        chain_compares=6,
    )
    tetrahedron: Operation = _operation(
        "on which sides of a tetrahedron's faces the origin lies (closestPtPointTetrahedron): per face a cross product "
        "and two dot products; triangles are counted for themselves",
        loads=60,
        stores=20,
        multiplies=56,
        adds=88,
        compares=12,
        others=40,
        chain_multiplies=3,
        chain_adds=5,
        chain_compares=4,
    )


SCANS = ("aabb_vertex", "support_vertex")
"""Operations whose chains of neighbouring vertices may overlap."""
