"""Twins: workloads that look to a GPU as the papers' commercial games do.

A twin is a TOML file (`data/workloads/`, or a user's own): the columns of a paper's table, a family of scenes, and the
solved parameters. `twin` reads it, a module of `families` lays out the scene, `budget` and `programs` give its draws
the triangles and instructions they need, `painter` draws it with the recorder, `check` measures what came out.
Twins of the family `models` are single models, which have nothing to solve: `models` makes and draws them.
"""
