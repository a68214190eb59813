"""From a configuration to a chip that runs: registers, ports, wires, chains of hooks, compiled copies of the engine."""
