"""The stages of the graphics pipeline, one file each, by part; and kernels that go through several of them."""
