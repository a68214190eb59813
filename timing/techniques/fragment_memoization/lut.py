"""The look-up table, by a hash of 32 bits: set-associative, least recently used; or one that never forgets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...loading.compiled import kernel

Array = np.ndarray[Any, Any]
EMPTY = -1


class Table(NamedTuple):
    """Contents: hash and identity of the fragment in each entry, and when it was last used; shape (sets, ways)."""

    tag: Array
    identity: Array
    used: Array


def empty(entries: int, ways: int) -> Table:
    """A table that holds nothing."""
    shape = entries // ways, ways
    return Table(np.full(shape, EMPTY, np.int64), np.zeros(shape, np.uint64), np.zeros(shape, np.int64))


@kernel
def look_up(tag: Any, identity: Any, used: Any, clock: int, hashes: Any, identities: Any, begin: int, end: int) -> Any:
    """Send fragments through the table, one after the other.

    Parameters
    ----------
    tag, identity, used
        The table, changed in place.
    clock
        Accesses before these.
    hashes, identities
        int64 and uint64, (n,): of fragments.
    begin, end
        Which of them.

    Returns
    -------
    tuple of int
        Those that were found, and those among them that were found under another's hash.
    """
    sets, ways = tag.shape
    reused = collisions = 0
    for i in range(begin, end):
        row = hashes[i] & (sets - 1)
        clock += 1
        hit = victim = -1
        for way in range(ways):
            if tag[row, way] == hashes[i]:
                hit = way
            if victim < 0 or used[row, way] < used[row, victim]:
                victim = way
        if hit >= 0:
            reused += 1
            if identity[row, hit] != identities[i]:
                collisions += 1
        else:
            hit = victim
            tag[row, hit] = hashes[i]
            identity[row, hit] = identities[i]
        used[row, hit] = clock
    return reused, collisions


class Unbounded(NamedTuple):
    """Contents of a table that never forgets: ascending hashes, and who was first met with each."""

    hashes: Array
    identities: Array


def nothing() -> Unbounded:
    """Such a table before it knows anything."""
    return Unbounded(np.zeros(0, np.uint32), np.zeros(0, np.uint64))


def look_up_all(table: Unbounded, hashes: Array, identities: Array) -> tuple[Unbounded, Array, Array]:
    """Send fragments through a table that never forgets, all at once: found is what came before.

    Parameters
    ----------
    table
        What it knows.
    hashes, identities
        int64 (32 bits used) and uint64, (n,): of fragments in their order.

    Returns
    -------
    tuple
        What it knows after them; bool, (n,): those that were found, and those that were found under another's hash.
    """
    met, first, which = np.unique(hashes.astype(np.uint32), return_index=True, return_inverse=True)
    place = np.searchsorted(table.hashes, met)
    present = place < len(table.hashes)
    present[present] = table.hashes[place[present]] == met[present]
    holder = identities[first]
    holder[present] = table.identities[place[present]]
    reused = np.ones(len(hashes), bool)
    reused[first[~present]] = False
    collided = reused & (holder[which] != identities)
    at, new = place[~present], ~present
    after = Unbounded(np.insert(table.hashes, at, met[new]), np.insert(table.identities, at, holder[new]))
    return after, reused, collided
