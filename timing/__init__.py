"""Pass 2: a cycle-level model of a tile-based GPU that replays recorded activity."""
