"""Single models, textured and lit, before a moving camera: the workloads of Emerald's case studies, made by formula.

A file of this package makes one model; `catalog` knows them by name, `painter` draws them with the recorder. `surface`
and `subdivision` hold what their meshes are made of.
"""
