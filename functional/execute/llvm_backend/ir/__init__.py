"""LLVM code of shaders: vectors of lanes, memory, and what each instruction, branch and input is in them."""
