"""Agents on a machine's memory side: what sends requests to main memory in addition to the GPU.

They are units that know main memory and its scheduler, but no technique: wires lead to who gives them work.
"""
