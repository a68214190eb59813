"""GLSL ES sources shipped with tilegpu: demo scenes and fixed-function emulation."""
