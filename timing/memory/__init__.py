"""Requests and ports, caches, DRAM; and where data lie: address map, Parameter Buffer, textures."""
