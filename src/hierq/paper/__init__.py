"""The paper: its published numbers, its studies, and ours beside them; the first investigation.

published.py       the numbers that were published; published/ORIGIN.md says where they come from
rules.py           the two sets of rules, and the departures of the published program
plan.py            its experiments as studies
numbers.py         from runs to the numbers that are plotted and printed
comparison.py      every published number and ours beside it
agreement.py       how well a table or a figure as a whole agrees
audit.py           what each departure of the published program does
claims.py          what the paper claims, as data
figures.py         its figures by name; figure_frames.py and examples.py what they are drawn from
investigation.py   all of it together; page.md its page

Reading the table and planning studies needs neither polars nor Numba; results load them.
"""
