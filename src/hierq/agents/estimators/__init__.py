"""How credit is sent back along a trace.

`operators` says what passes through a hop, `partitions` which hops there are, and `backups` puts both together; these
are plain Python. `hops` (Algorithm 3) and `traces` (Algorithm 2) are the kernels that do it, written in the words of
`values`. `paths` counts the ways a backup could take.
"""
