"""Rivals: other learning rules for a flat agent that knows all goals, to be compared with the paper's.

A rival writes the same table Q(s, a, g) as the paper's flat agent does. Acting, exploring, evaluating, replaying and
saving are the agent's own, so all compete on equal terms.

    rule.py         what a rule may ask for, and which there are
    rival.py        Rival(rule, updates): a rule as the setting of an agent
    memory.py       what a rule remembers beside the table
    vocabulary.py   the words that rules are written in

Each of the other files is one rule, with its equation and where it comes from. `built_in.py` lists them.
"""
