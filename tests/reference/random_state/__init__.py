"""Random OpenGL ES state: small scenes derived from a number, many to a trace, compared with Mesa's software drivers.

`python -m tests.reference.random_state SEED` draws one scene and writes our picture and Mesa's.
"""
