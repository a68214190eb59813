"""The three prefetchers in plain Python, as their tests know them: dictionaries, lists and searches."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

Tables = OrderedDict[Any, Any]


def entry_of(table: Tables, key: Any, size: int, fresh: Any) -> tuple[Any, bool]:
    """Entry of a key, now the one used last, and whether it was there; the least recently used one gives way."""
    known = key in table
    if not known:
        if len(table) == size:
            table.popitem(last=False)
        table[key] = fresh
    table.move_to_end(key)
    return table[key], known


def following(line: int, stride: int, degree: int) -> list[int]:
    """The next lines of a stride that there are."""
    return [line + stride * i for i in range(1, degree + 1) if line + stride * i >= 0]


class StrideModel:
    """Chen and Baer's states, by their names."""

    AFTER = {
        ("initial", True): "steady", ("initial", False): "transient",
        ("transient", True): "steady", ("transient", False): "none",
        ("steady", True): "steady", ("steady", False): "initial",
        ("none", True): "transient", ("none", False): "none",
    }  # fmt: skip

    def __init__(self, entries: int, degree: int) -> None:
        self.entries, self.degree, self.table = entries, degree, OrderedDict()

    def access(self, instruction: int, warp: int, line: int) -> list[int]:
        """Lines predicted."""
        fresh = {"line": line, "stride": 0, "state": "initial"}
        entry, known = entry_of(self.table, instruction, self.entries, fresh)
        if not known or entry["line"] == line:
            return []
        stride = line - entry["line"]
        before = entry["state"]
        entry["state"] = self.AFTER[before, stride == entry["stride"]]
        if before != "steady":
            entry["stride"] = stride
        entry["line"] = line
        return following(line, entry["stride"], self.degree) if entry["state"] == "steady" else []


class DistanceModel:
    """All lines ever, of which only the last ones count."""

    def __init__(self, history: int, index: int, degree: int, walk: str) -> None:
        self.history, self.entries, self.degree, self.walk = history, index, degree, walk
        self.lines: list[int] = []
        self.index: Tables = OrderedDict()

    def access(self, instruction: int, warp: int, line: int) -> list[int]:
        """Lines predicted."""
        lines = self.lines
        if lines and lines[-1] == line:
            return []
        lines.append(line)
        newest, oldest = len(lines) - 1, max(0, len(lines) - self.history)
        if newest == 0:
            return []
        distance = line - lines[-2]
        _, known = entry_of(self.index, distance, self.entries, True)
        # Links reach back no further than the distance has been in the index without a break.
        if not known:
            self.index[distance] = newest
            return []
        since = self.index[distance]
        before = [n for n in range(newest - 1, 0, -1) if n >= since and lines[n] - lines[n - 1] == distance]
        before = [n for n in before if n >= oldest]
        if not before:
            return []
        if self.walk == "width":
            predicted = [line + lines[n + 1] - lines[n] for n in before[: self.degree]]
            return [found for found in predicted if found >= 0]
        ahead = [line + lines[n] - lines[before[0]] for n in range(before[0] + 1, newest + 1)]
        good = next((i for i, found in enumerate(ahead) if found < 0), len(ahead))
        return ahead[:good][: self.degree]


class ManyThreadModel:
    """Strides within warps, for all warps, and from warp to warp."""

    def __init__(self, sizes: tuple[int, int, int], promotion: int, degree: int) -> None:
        (self.warps, self.globals, self.threads), self.promotion, self.degree = sizes, promotion, degree
        self.pws: Tables = OrderedDict()
        self.gs: Tables = OrderedDict()
        self.ip: Tables = OrderedDict()

    def access(self, instruction: int, warp: int, line: int) -> list[int]:
        """Lines predicted."""
        across = self._across(instruction, warp, line)
        if instruction in self.gs:
            self.gs.move_to_end(instruction)
            return following(line, self.gs[instruction], self.degree)
        if across:
            return following(line, across, self.degree)
        return self._within(instruction, warp, line)

    def _across(self, instruction: int, warp: int, line: int) -> int:
        """Of the last accesses by changing warps: the stride of the last two, if those before had it, too."""
        seen, _ = entry_of(self.ip, instruction, self.threads, [])
        if not seen or (seen[-1][0] != warp and seen[-1][1] != line):
            seen.append((warp, line))
        last = seen[-3:]
        strides = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(last, last[1:], strict=False)]
        agree = len(strides) == 2 and strides[0] == strides[1] and strides[0] == int(strides[0])
        return int(strides[0]) if agree else 0

    def _within(self, instruction: int, warp: int, line: int) -> list[int]:
        seen, _ = entry_of(self.pws, (instruction, warp), self.warps, [])
        if seen and seen[-1] == line:
            return []
        seen.append(line)
        if not self._trained(seen):
            return []
        stride = seen[-1] - seen[-2]
        found = following(line, stride, self.degree)
        same = [
            key for key, other in self.pws.items()
            if key[0] == instruction and self._trained(other) and other[-1] - other[-2] == stride
        ]  # fmt: skip
        if len(same) >= self.promotion:
            entry_of(self.gs, instruction, self.globals, stride)
        return found

    @staticmethod
    def _trained(seen: list[int]) -> bool:
        return len(seen) >= 3 and seen[-1] - seen[-2] == seen[-2] - seen[-3]
