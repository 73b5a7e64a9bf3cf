"""Explorers: how soon a goal is found for the first time, and what levels add to that.

plan.py            the study
search.py          a search that remembers everything, to compare with
tables.py          from runs to numbers
claims.py          what is claimed about it
figures.py         what it looks like
investigation.py   all of it together
"""
