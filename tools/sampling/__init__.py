"""Long captures by sampling: frames that represent the others, and totals of the whole capture from them (MEGsim)."""
