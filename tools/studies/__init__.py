"""Studies: programs that redo a paper's experiments on workloads like the paper's.

A study (`declare`) names workloads, machines, figures and conclusions. `execution` makes what is missing and replays,
`measured` answers what came out, `rules` decide which conclusions hold, `outcome` writes it down.
"""
