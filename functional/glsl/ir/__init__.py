"""The shader IR: TGSI-like, one instruction is one vec4 operation."""
