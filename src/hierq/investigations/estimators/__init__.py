"""The estimator family, and what hierarchy adds once credit travels freely along the trace.

plan.py            its studies: operators × partitions × schedules, other goals, chance
tables.py          from runs to numbers
claims.py          what is claimed, each a function with a verdict
figures.py         its figures
investigation.py   all of it together
"""
