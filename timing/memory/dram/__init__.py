"""Main memory: the `simple` model, and a cycle-level controller of LPDDR and DDR memories (`channel`)."""
