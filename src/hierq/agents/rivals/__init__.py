"""Rivals: other learning rules for a flat agent that knows all goals, to be compared with the paper's.

A rival writes the same table Q(s, a, g) as the paper's flat agent does. Acting, exploring, evaluating, replaying and
saving are the agent's own, so all compete on equal terms.
"""
