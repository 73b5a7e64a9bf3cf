"""How credit is sent back along a trace.

`operators` says how returns are combined at each hop, `partitions` which hops there are, and `backups` puts both
together; these are plain Python. The kernels are `hops` (Algorithm 3) and `eligibility` (Algorithm 2), written in terms
of `values`.
"""
