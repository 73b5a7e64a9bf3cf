"""Rivals: who assigns credit fastest, on equal terms.

plan.py            the studies
tables.py          from runs to numbers, and ranks
claims.py          what is claimed about it
figures.py         what it looks like
investigation.py   all of it together
"""
