"""What the machine is made of: clock, rings, registers, compilation, the plain mode."""
