"""How soon a function that was never compiled gives a result, and what calling it by its address costs per step.

The kernels for any function of a user's are in the cache; a new process then tries a new function. By turns, the same
agent trains with the function called by its address and with a kernel that is compiled for it.
"""

import itertools
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import hierq
from hierq.agents.agent import Agent
from hierq.compiling import decorators, own_kernels

FILE = """
import hierq

@hierq.operator
def new(q, v, y):
    return {operator}

@hierq.explorer
def tried(level, epsilon, actions, rng):
    return hierq.epsilon_greedy({share} * epsilon, actions, rng)

@hierq.rival
def learning(table, state, action, successor):
    for _ in range({times}):
        hierq.learn_step(table, state, action, successor)
"""
FUNCTIONS = {
    "an operator, on ranks": ["--operator", "own.py:new", "--n", "5"],
    "an operator, on values": ["--operator", "own.py:new", "--n", "5", "--step-size", "0.5"],
    "an explorer": ["--explore", "own.py:tried"],
    "a rival": ["--rival", "own.py:learning", "--levels", "1"],
}
EDITS = itertools.count(2)


def written(folder: Path) -> None:
    """Writes functions that nobody has compiled before."""
    edit = next(EDITS) + time.time_ns() % 10**9
    values = {"operator": f"max(v, y) if y < {edit} else v", "share": 1 - 1 / edit, "times": 1 + edit % 2}
    (folder / "own.py").write_text(FILE.format(**values))


def seconds(words: list[str], folder: Path) -> float:
    """Of a command of hierq, in a process of its own."""
    written(folder)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "hierq", "run", "maze-10", "--episodes", "20", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - begun


@hierq.operator
def optimistic(q, v, y):
    """X = max(v, y)."""
    return max(v, y)


@hierq.operator
def halfway(q, v, y):
    """X = (v + y) / 2."""
    return 0.5 * (v + y)


@hierq.explorer
def own_epsilon(epsilon, actions, rng):
    """ε-greedy."""
    return hierq.epsilon_greedy(epsilon, actions, rng)


@hierq.rival
def q_learning(table, state, action, successor):
    """Q-learning."""
    hierq.learn_step(table, state, action, successor)


AGENTS = {
    "an operator, on ranks": hierq.AgentConfig(levels=3, backup=hierq.Backup(optimistic, n=5)),
    "an operator, on values": hierq.AgentConfig(levels=3, backup=hierq.Backup(halfway, n=5)),
    "an explorer": hierq.AgentConfig(levels=3, explore=own_epsilon),
    "a rival": hierq.AgentConfig(levels=1, universal_top=True, backup=hierq.Rival(q_learning)),
}


def is_no_kernel(kind: str) -> bool:
    """No kernel is compiled, as if its function were new."""
    return False


def ratio(config: hierq.AgentConfig, turns: int = 9) -> tuple[float, float]:
    """µs per step by address and compiled, by turns: the medians."""
    agent, times = Agent("maze-10", config), {True: [], False: []}
    for turn, is_shared in itertools.product(range(-1, turns), times):
        # Every call looks at both to choose the kernel; in the turn −1 kernels are compiled.
        own_kernels.WORTH_COMPILING = 1e9 if is_shared else -1.0
        own_kernels.is_compiled = is_no_kernel if is_shared else decorators.is_compiled
        agent.restart(max(0, turn))
        begun = time.perf_counter()
        steps = agent.train(50).sum()
        assert bool(agent._pointers) == is_shared
        if turn >= 0:
            times[is_shared].append((time.perf_counter() - begun) / steps * 1e6)
    return statistics.median(times[True]), statistics.median(times[False])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        for what, words in FUNCTIONS.items():
            seconds(words, Path(name))  # compiles the kernel for any function
            median = statistics.median(seconds(words, Path(name)) for _ in range(3))
            print(f"{what}: the first result of a new one after {median:.1f} s", flush=True)
    for what, config in AGENTS.items():
        shared, compiled = ratio(config)
        times = f"{shared:.2f} µs per step by address, {compiled:.2f} compiled"
        print(f"{what}: {times}, {shared / compiled:.1f} times as long", flush=True)
