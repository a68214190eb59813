"""Building blocks of the machine: clock, rings, registers, compilation, the plain mode."""
