"""Studies as TOML files: what can be written, and the line of whatever is wrong."""

import re
from pathlib import Path

import pytest

from hierq import AgentConfig, Backup, EpsilonSoft, InputError, OneStep, Study, Traces, TreeBackup
from hierq.agents import Operator
from users_file import MY_FILE

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
HEAD = 'worlds = ["maze-10"]\n'


def read(folder: Path, text: str) -> Study:
    path = folder / "study.toml"
    path.write_text(text)
    return Study.from_toml(path)


def test_lists_are_combined(tmp_path: Path) -> None:
    study = read(
        tmp_path,
        """
        worlds = ["maze-10", "rooms-4"]
        seeds = 7
        [agent]
        levels = [1, 2]
        tree_backup = [1, 5]
        traces = 0.5
        behaviour = ["hierarchy", "flat"]
        discount = 0.9
        [protocol]
        iterations = 20
        """,
    )
    assert (study.seeds, study.protocol.iterations, len(study.agents)) == (7, 20, 2 * 3 * 2)
    assert [world.name for world in study.worlds] == ["maze-10", "rooms-4"]
    assert AgentConfig(levels=2, backup=Traces(0.5), behaviour="flat", discount=0.9) in study.agents
    assert len(study) == 2 * 12 * 7


def test_defaults_are_those_of_the_paper(tmp_path: Path) -> None:
    study = read(tmp_path, HEAD + "[agent]\n")
    assert study.agents == (AgentConfig(),)
    assert (study.seeds, study.protocol.iterations) == (200, 50)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeff" + HEAD + "[agent]\n") == read(tmp_path, HEAD + "[agent]\n")


def test_every_kind_of_setting(tmp_path: Path) -> None:
    study = read(
        tmp_path,
        HEAD + "[agent]\nlevels = 3\nhorizons = [2, [2, 3, 4]]\none_step = true\ntree_backup = 8\npublished = true\n"
        'target = ["greedy", {kind = "EpsilonSoft", epsilon = 0.1}]\n',
    )
    assert len(study.agents) == 2 * 2 * 2
    last = AgentConfig.published(levels=3, horizons=(2, 3, 4), backup=TreeBackup(8), target=EpsilonSoft(0.1))
    assert last in study.agents


def test_operators_and_explorers_of_a_file_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MY_FILE)
    study = read(
        tmp_path,
        HEAD + "[agent]\noperator = ['mine.py:optimistic', 'mine.py:fading', 'one-step']\nn = [1, 3]\n"
        "decay = [0.5, 1]\ntree_backup = 5\nhops = ['stride', 'single']\nexplore = ['epsilon', 'mine.py:curious']\n",
    )
    backups = [agent.backup for agent in study.agents]
    assert len(backups) == 2 * 2 * (1 + 2 + 2 * 2 + 1)  # explorers, hops; 5, optimistic, fading, one-step
    optimistic, fading = (Operator.from_file(f"mine.py:{name}", tmp_path) for name in ("optimistic", "fading"))
    assert Backup(optimistic, n=3, hops="single") in backups and Backup(fading, n=1, decay=0.5) in backups
    assert backups.count(OneStep()) == 2 and TreeBackup(5).with_hops("single") in backups
    assert {agent.explorer.name for agent in study.agents} == {"epsilon", "curious"}
    assert len({name for name, _ in study.settings}) == len(study.agents)


def test_the_family_is_written_in_words(tmp_path: Path) -> None:
    study = read(
        tmp_path,
        HEAD + "[agent]\noperator = ['max', 'peng', 'tree-backup']\nn = [2, 3]\ndecay = [0.5]\n"
        "traces = ['peng:0.8', 0.8]\none_step = true\nwhen = ['step', 'episode']\nhops = ['stride', 'single']\n",
    )
    backups = [agent.backup for agent in study.agents]
    assert len(backups) == len(set(backups)) == 3 * 2 * 2 * 2 + 2 * 2 + 2 * 2
    for backup in (
        Backup("max", n=3, when="episode"),
        Backup("tree-backup", n=2, decay=0.5, hops="single"),
        Traces(0.8, operator="peng"),
        Backup("one-step", when="episode", hops="single"),
    ):
        assert backup in backups


def test_hops_beside_levels(tmp_path: Path) -> None:
    agents = read(tmp_path, HEAD + "[agent]\nlevels = 3\nhops = ['stride', 'single']\n").agents
    assert agents == tuple(AgentConfig(levels=3, backup=OneStep().with_hops(hops)) for hops in ("stride", "single"))


def test_the_example_is_a_study() -> None:
    study = Study.from_toml(Path(__file__).parents[2] / "examples" / "study.toml")
    assert len(study.agents) == 12 and study.cases[0].id == "maze-10/k1/n1/hierarchy"


def test_maps_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "my.txt").write_text("S.G\n")
    (world,) = read(tmp_path, 'worlds = "my.txt"\n[agent]\n').worlds
    assert (world.name, world.text) == ("my", "S.G\n")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            HEAD + "sede = 3\n[agent]\n",
            2,
            "sede is not a setting of a study; did you mean seeds. known are worlds, environments, seeds",
        ),
        (
            HEAD + "[agent]\n\nlevles = 3\n",
            4,
            "levles is not a setting of .agent.; did you mean levels. known are levels, .*tree_backup, .*hops",
        ),
        (HEAD + "levels = 3\n[agent]\n", 2, "levels is not a setting of a study; it belongs in .agent."),
        (
            HEAD + "[agent]\n[protocol]\nepisodes = 3\n",
            4,
            "episodes is not a setting of .protocol.; known are iterations",
        ),
        (HEAD + "[agent]\nbackup = 3\n", 3, "tree_backup = N"),
        (HEAD + "[agents]\n", 2, "agents is not a setting"),
        (HEAD + "agent = 3\n", 2, "agent is a table"),
        (HEAD + 'seeds = "many"\n[agent]\n', 2, "seeds must be a whole number, not 'many'"),
        (HEAD + "seeds = [1, 2]\n[agent]\n", 2, "seeds must be a whole number"),
        (HEAD + "seeds = 0\n[agent]\n", 2, "seeds must be at least 1"),
        (HEAD + "[agent]\nlevels = []\n", 3, "levels is an empty list"),
        ("worlds = []\n[agent]\n", 1, "there are no worlds; a study needs at least one"),
        ("worlds = [3]\n[agent]\n", 1, "a world is a name"),
        ("seeds = 3\nworlds = ['maze-11']\n[agent]\n", 2, "Did you mean maze-10"),
        ("worlds = ['maze-10', 'maze-10']\n[agent]\n", 1, "same world is given twice"),
        (HEAD + "[agent]\nlevels = [1,\n  2, 1]\n", 3, "k1/one-step/hierarchy comes out twice"),
        (HEAD + "[agent]\nlevels = 2\nlevels = 3\n", 4, "not TOML"),
        (HEAD + "[agent\n", 2, "not TOML"),
        (HEAD + "[agent]\nlevels = ['x']\n", 3, "levels k must be a whole number, not 'x'"),
        (HEAD + "[agent]\nlevels = true\n", 3, "must be a whole number"),
        (HEAD + "[agent]\nlevels = 1\ndiscount = [0.5, 2]\n", 4, "discount γ must lie in"),
        (HEAD + "[agent]\nlevels = 1\ntraces = 3\n", 4, "decay λ must lie in"),
        (HEAD + "[agent]\ntree_backup = [1, 0]\n", 3, "depth of a Tree-Backup"),
        (HEAD + "[agent]\none_step = 1\n", 3, "one_step is true or left out"),
        (HEAD + "[agent]\nlevels = 2\nhorizons = [[3, 4, 5]]\n", 4, "3 horizons were given for 2 levels"),
        (HEAD + "agent = {levels = 0}\n", 2, "levels"),
        (HEAD + "agent.levels = 0\n", 2, "levels"),
        (HEAD + "[agent]\n[protocol]\niterations = 0\n", 4, "iterations must be at least 1"),
        (HEAD + "[agent]\npublished = 3\n", 3, "published is true or false"),
        (HEAD + "[agent]\nbehaviour = ['flat', ['x']]\n", 3, "behaviour must be one of"),
        (HEAD + "[agent]\nhop = 'single'\n", 3, "hop is not a setting of .agent.; did you mean hops. known"),
        (HEAD + "[agent]\nhops = 'double'\n", 3, "hops must be one of stride, single, .*, not 'double'"),
        (HEAD + "[agent]\nlevels = 1\nhops = 'double'\n", 4, "hops must be one of"),
        (HEAD + "[agent]\ntree_backup = 3\nn = [1, 3]\n", 4, "n needs an operator"),
        (HEAD + "[agent]\noperator = 'max'\ndecay = 0.5\n", 4, "decay needs an operator"),
        (HEAD + "[agent]\ntraces = 'peng:much'\n", 3, "traces are a number λ, or an operator and a number"),
        (HEAD + "[agent]\ntraces = 'sarsa:0.5'\n", 3, "operator must be one of tree-backup"),
        (HEAD + "[agent]\noperator = 'tree-backup'\nn = [1, 0]\n", 4, "n must be at least 1"),
        (HEAD + "[agent]\noperator = 'tree-bakcup'\n", 3, "operator must be one of .*tree-backup.* not 'tree-bakcup'"),
        (HEAD + "[agent]\noperator = 3\n", 3, "operator must be one of"),
        (HEAD + "[agent]\noperator = 'none.py:mine'\n", 3, "there is no file none.py"),
        (HEAD + "[agent]\nlevels = 1\nexplore = 'none.py:mine'\n", 4, "there is no file none.py"),
        (HEAD + "[agent]\nexplore = 'epsilom'\n", 3, "explore must be one of epsilon"),
        (HEAD + "[agent]\nexplore = 'epsilon'\nexplore_train = 2\n", 4, "explore_train ε must lie in"),
        (
            HEAD + "[agent]\npublished = [true, false]\nsubgoal_cells = 'grid'\n"
            "goal_preference = 'published'\nevaluation = 'published'\ntie_tolerance = 1e-8\ntrace_cutoff = 1e-8\n",
            3,
            "published comes out twice",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=rf"study\.toml, line {line}(, column \d+)?: .*{message}"):
        read(tmp_path, text)


def test_huge_grids_are_refused_before_they_are_built(tmp_path: Path) -> None:
    many = str(list(range(1, 400)))
    with pytest.raises(InputError, match="line 2: this makes 159,201 settings"):
        read(tmp_path, HEAD + f"[agent]\ntree_backup = {many}\nstep_limit = {many}\n")


@pytest.mark.parametrize(("text", "missing"), [("seeds = 3\n[agent]\n", "worlds"), (HEAD, "agent")])
def test_what_is_missing_is_named(tmp_path: Path, text: str, missing: str) -> None:
    with pytest.raises(InputError, match=f"has no {missing}"):
        read(tmp_path, text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        Study.from_toml(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot read"):
        Study.from_toml(tmp_path)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file in UTF-8"):
        Study.from_toml(tmp_path / "binary.toml")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_are_studies(path: Path) -> None:
    study = Study.from_toml(path)
    assert len(study) > 1
    assert path.name in path.read_text().split("hierq sweep examples/")[1]


BLOCKS = """worlds = "rooms-example"

[[agent]]
levels = 1
rival = "dyna"
updates = 10

[[agent]]
levels = 3
operator = "peng"
decay = [0.5, 0.8]
"""


def test_agents_that_are_no_product_have_blocks_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(BLOCKS)
    agents = Study.from_toml(path).agents
    assert [(config.levels, config.backup.name) for config in agents] == [(1, "dyna"), (3, "peng"), (3, "peng")]
    assert [config.backup.decay for config in agents[1:]] == [0.5, 0.8]


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("levels = 3", "levels = 0", "line 9: levels k must be at least 1"),
        ("levels = 1", "levels = 0", "line 4: levels k must be at least 1"),
        ("decay = [0.5, 0.8]", "decai = 0.5", "line 11: decai is not a setting"),
        ('operator = "peng"\ndecay = [0.5, 0.8]', 'rival = "dyna"\nupdates = 10\nlevels = 1', "not TOML"),
        (
            "updates = 10",
            "updates = 10\n[[agent]]\nlevels = 3\noperator = 'peng'\ndecay = 0.5",
            "line 15: the setting k3",
        ),
    ],
)
def test_mistakes_in_a_block_are_named_with_their_line(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    path = tmp_path / "study.toml"
    path.write_text(BLOCKS.replace(right, wrong))
    with pytest.raises(InputError, match=re.escape(said)):
        Study.from_toml(path)
