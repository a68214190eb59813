"""Numbers registers by a linear scan over their lifetimes."""

import heapq

from .register_assignment import Register


def allocate(registers: list[Register], reserved: int) -> int:
    """Number registers so that none is overwritten while it is needed.

    Parameters
    ----------
    registers : list of Register
        With ``first`` and ``last`` filled in; numbered in place.
    reserved : int
        Registers below this number belong to indexed arrays.

    Returns
    -------
    int
        Size of the temporary file.
    """
    free: list[int] = []
    active: list[tuple[int, int]] = []
    count = reserved
    for register in sorted(registers, key=lambda r: (r.first, r.last)):
        # An instruction reads before it writes, so it may overwrite a register that it is the last to read.
        while active and active[0][0] <= register.first:
            heapq.heappush(free, heapq.heappop(active)[1])
        if free:
            register.number = heapq.heappop(free)
        else:
            register.number, count = count, count + 1
        heapq.heappush(active, (max(register.last, register.first + 1), register.number))
    return count
