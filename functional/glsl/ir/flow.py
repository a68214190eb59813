"""The shortest and the longest path through a shader, in instructions."""

import heapq
from collections import Counter

from .opcodes import OperationClass
from .program import Shader

CLASSES: tuple[OperationClass, ...] = ("alu", "sfu", "tex", "mem", "flow")


def successors(shader: Shader) -> list[tuple[int, ...]]:
    """Possible successors per pc."""
    following: list[tuple[int, ...]] = []
    for pc, instruction in enumerate(shader.instructions):
        target = instruction.flow_target
        if instruction.opcode == "END":
            following.append(())
        elif instruction.opcode == "UIF" and target is not None:
            following.append((pc + 1, target))
        elif instruction.opcode in ("ELSE", "BRK", "CONT", "ENDLOOP") and target is not None:
            following.append((target,))
        else:
            following.append((pc + 1,))
    return following


def shortest_path(shader: Shader) -> dict[str, int] | None:
    """Instructions by class on the shortest path from the first to END; None if there is no path."""
    path = shortest_walk(shader)
    return None if path is None else _classes(shader, path)


def longest_path(shader: Shader) -> dict[str, int] | None:
    """Instructions by class on the longest path to END; None if a loop makes it unbounded."""
    path = longest_walk(shader)
    return None if path is None else _classes(shader, path)


def shortest_walk(shader: Shader) -> list[int] | None:
    """Instructions of the shortest path from the first to END, by pc; None if there is no path."""
    following = successors(shader)
    last = len(following) - 1
    came_from: dict[int, int] = {0: -1}
    queue = [(0, 0)]
    while queue:
        length, pc = heapq.heappop(queue)
        if pc == last:
            return _walk_back(came_from, pc)
        for target in following[pc]:
            if target not in came_from:
                came_from[target] = pc
                heapq.heappush(queue, (length + 1, target))
    return None


def longest_walk(shader: Shader) -> list[int] | None:
    """Instructions of the longest path to END, by pc; None if a loop makes it unbounded."""
    following = successors(shader)
    if any(target <= pc for pc, targets in enumerate(following) for target in targets):
        return None
    lengths = [0] * len(following)
    chosen = [-1] * len(following)
    for pc in range(len(following) - 1, -1, -1):
        for target in following[pc]:
            if chosen[pc] < 0 or lengths[target] > lengths[chosen[pc]]:
                chosen[pc] = target
        lengths[pc] = 1 + (lengths[chosen[pc]] if chosen[pc] >= 0 else 0)
    path, pc = [], 0
    while pc >= 0:
        path.append(pc)
        pc = chosen[pc]
    return path


def _walk_back(came_from: dict[int, int], pc: int) -> list[int]:
    path = []
    while pc >= 0:
        path.append(pc)
        pc = came_from[pc]
    return path


def _classes(shader: Shader, path: list[int]) -> dict[str, int]:
    counts = Counter(shader.instructions[pc].info.operation_class for pc in path)
    return {name: counts[name] for name in CLASSES}
