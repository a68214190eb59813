"""Issue of instructions on Arm's machines and on SIMT cores: the time for which each occupies what issues it."""
