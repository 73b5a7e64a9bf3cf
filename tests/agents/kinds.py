"""The kinds of kernels that tests are compiled for; as a program, it compiles them before any test has to wait."""

from numba import config

from hierq import AgentConfig, Backup, EpsilonSoft, Traces, TreeBackup
from hierq.agents.precompile import USUAL, compile_kernels

# One for each kind of table and target, with and without traces.
TABLES = (
    *USUAL,
    AgentConfig(backup=TreeBackup(3), step_size=0.5),
    *(AgentConfig(backup=backup, tables="local") for backup in (TreeBackup(3), Traces(1.0))),
    *(AgentConfig(backup=backup, target=EpsilonSoft(0.1)) for backup in (TreeBackup(3), Traces(1.0))),
)
# Members of the estimator family, each for another part of the kernels. As compiling takes long, `make test` has half
# of them; the other half is compiled by `make test-bounds`, which compiles quickly rather than well.
FAMILY = (
    AgentConfig(backup=Backup("max", n=3, hops="all-max")),
    AgentConfig(backup=Backup("one-step", when="episode")),
    AgentConfig(backup=Backup("retrace", n=3), target=EpsilonSoft(0.1)),
    AgentConfig(backup=Traces(0.8, operator="peng")),
)
if config.BOUNDSCHECK:
    FAMILY += (
        AgentConfig(backup=Backup("peng", n=3, hops="all-paths", when="episode")),
        AgentConfig(backup=Backup("tree-backup", n=3, hops="random")),
        AgentConfig(backup=Backup("tree-backup", n=3, hops="executed")),
        AgentConfig(backup=Traces(0.8, operator="never-cut")),
    )

if __name__ == "__main__":
    compile_kernels((*TABLES, *FAMILY))
