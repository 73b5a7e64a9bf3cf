"""What type checkers make of a study: plain arguments are accepted, and its fields have precise types.

Read by mypy in `make lint`, which also complains about a `type: ignore` that is not needed. It is never run.
"""

from pathlib import Path
from typing import assert_type

from hierq import AgentConfig, Protocol, Study, World, gridworld
from hierq.studies import Environment

study = Study(worlds=("maze-10",), agents=(AgentConfig(),))
assert_type(study.worlds, tuple[World | Environment, ...])
assert_type(study.agents, tuple[AgentConfig, ...])
assert_type(study.seeds, int)
assert_type(study.protocol, Protocol)
Study(worlds="maze-10", agents=AgentConfig())
Study([gridworld(3, 3), "maze-10", Path("my-map.txt")], [AgentConfig(levels=k) for k in (1, 2)], 3, Protocol(2))
Study(worlds=3, agents=AgentConfig())  # type: ignore[arg-type]
Study(worlds="maze-10", agents="maze-10")  # type: ignore[arg-type]
