"""A user's own operator and explorer, in a folder of their own: from Python, a study file and the command line."""

import json
import os
import pickle
import subprocess
import sys

import pytest

import hierq
from command import hierq_command
from hierq.agents.estimators.operators import Operator
from hierq.agents.explorers import Explorer

PARTS = '''
import hierq

SHARE = 0.5

def between(low, high):
    return low + SHARE * (high - low)

@hierq.operator
def optimistic(q, v, y):
    """X = max(v, y)."""
    return max(v, y)

@hierq.operator
def halfway(q, v, y, decay):
    """Half of the way from what is known to what came."""
    return between(v, y) if decay > 0 else v

@hierq.explorer
def curious(level, state, actions, epsilon, is_known, visits, successors, rng):
    """Level 0 goes where it has been least, as long as nothing is known."""
    if level > 0 or is_known or hierq.uniform(rng) < epsilon:
        return hierq.epsilon_greedy(1.0, actions, rng) if level == 0 else hierq.GREEDY
    best, least = actions[0], -1
    for action in actions:
        seen = 0 if successors[state, action] == hierq.UNTRIED else visits[successors[state, action]]
        if least < 0 or seen < least:
            best, least = action, seen
    return best
'''
STUDY = """
worlds = ["rooms-example"]
seeds = 4
[agent]
levels = 2
operator = ["parts.py:optimistic", "tree-backup"]
n = 3
explore = "parts.py:curious"
[protocol]
iterations = 4
"""
COUNT = """
import sys, json
from hierq.agents import entry_points
import hierq.cli
sys.argv = ["hierq", *json.loads(sys.argv[1])]
status = hierq.cli.main()
print("COMPILED", sum(entry_points.run.stats.cache_misses.values()), sum(entry_points.run.stats.cache_hits.values()))
sys.exit(status)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def command(folder, *words):
    """Runs a command of hierq in a folder of a user; returns what it printed and how many kernels it compiled."""
    environment = {"HIERQ_CACHE_DIR": str(folder / "cache"), "PATH": "/usr/bin:/bin", "NUMBA_OPT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", COUNT, json.dumps(words)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("COMPILED")
    return "\n".join(lines[:-1]), int(lines[-1].split()[1])


@pytest.mark.long
@pytest.mark.usefixtures("compiler")
def test_a_study_and_a_run_in_processes_of_their_own_compile_once(folder):
    """Two threads do the study; a second process finds all kernels in the cache, and the results are the same."""
    words = ("sweep", "study.toml", "--workers", "2")
    _, first = command(folder, *words, "--out", "one")
    _, second = command(folder, *words, "--out", "two")
    assert first == 2 and second == 0
    digests = [command(folder, "verify", out)[0].splitlines()[-1] for out in ("one", "two")]
    assert digests[0] == digests[1]
    run = (
        "run",
        "rooms-example",
        "--operator",
        "parts.py:optimistic",
        "--explore",
        "parts.py:curious",
        "--episodes",
        "5",
    )
    texts = [command(folder, *run) for _ in range(2)]
    assert texts[0][0] == texts[1][0] and [count for _, count in texts] == [0, 0]


@pytest.mark.usefixtures("interpreter")
def test_the_same_in_this_process(folder):
    config = hierq.AgentConfig(
        levels=2,
        backup=hierq.Backup(Operator.from_file("parts.py:optimistic", folder), n=3),
        explore=Explorer.from_file("parts.py:curious", folder),
    )
    agent = hierq.Agent(hierq.make_world("rooms-example"), config, seed=3)
    steps = agent.train(4).sum()
    assert agent.counts["visits"].sum() == steps + 4  # every step, and the start of every episode
    agent.evaluate(2)
    agent.replay("EE")
    assert agent.counts["visits"].sum() == steps + 4
    agent.save(folder / "agent.safetensors")
    copy = hierq.Agent.load(folder / "agent.safetensors")
    assert (copy.counts["visits"] == agent.counts["visits"]).all()
    assert (copy.train(5) == agent.train(5)).all()


def test_another_process_loads_an_agent_only_with_its_parts(folder, once):
    config = hierq.AgentConfig(backup=hierq.Backup(Operator.from_file("parts.py:optimistic", folder), n=3))
    agent = hierq.Agent(hierq.make_world("rooms-example"), config)
    agent.save(folder / "agent.safetensors")
    code = (
        "import hierq, sys; {}\n"
        "try: hierq.Agent.load('agent.safetensors'); print('loaded')\n"
        "except hierq.InputError as e: print(e)"
    )
    said = [
        subprocess.run([sys.executable, "-c", code.format(more)], cwd=folder, capture_output=True, text=True).stdout
        for more in ("pass", "sys.path.insert(0, '.'); import parts; hierq.Backup(parts.optimistic)")
    ]
    assert "operator optimistic" in said[0] and "not known here" in said[0]
    assert said[1] == "loaded\n"
    words = [sys.executable, "-m", "hierq", "show", "agent.safetensors"]
    shown = [
        subprocess.run([*words, *more], cwd=folder, capture_output=True, text=True)
        for more in ((), ("--operator", "parts.py:optimistic"))
    ]
    assert "--operator FILE.py:optimistic" in shown[0].stderr and "greedy moves" in shown[1].stdout


@pytest.mark.usefixtures("interpreter")
def test_a_run_names_the_parts_that_show_needs(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    parts = ("--operator", "parts.py:optimistic", "--explore", "parts.py:curious")
    words = ("run", "rooms-example", "--levels", "1", "--episodes", "1", *parts)
    said = hierq_command(capsys, *words, "--save", "an agent.safetensors").out
    assert f"look inside with: hierq show 'an agent.safetensors' {' '.join(parts)}" in said
    assert hierq_command(capsys, "show", "an agent.safetensors", *parts).code == 0


def operator_of(text, name="wrong"):
    scope = {}
    import linecache

    source = f"import hierq\n\n{text}\n"
    file = f"<{abs(hash(text))}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), scope)
    return scope[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@hierq.operator\ndef wrong(q, v, z):\n    return v", "has an argument z; an operator may ask for q, v, y"),
        ("@hierq.operator\ndef wrong(v, y):\n    return lamda * y", "wrong uses lamda, which is not defined"),
        ("@hierq.operator\ndef wrong(v, y):\n    return 'y'", "returns 'y', which is not a finite number"),
        ("@hierq.operator\ndef wrong(v, y):\n    return y / 0", "fails for .*: ZeroDivisionError"),
        ("TABLE = {}\n@hierq.operator\ndef wrong(v, y):\n    return TABLE.get(v, y)", "uses TABLE, a dict"),
        ("@hierq.operator\ndef wrong(v, y):\n    return sorted([v, y])[0]", "cannot be compiled"),
    ],
    ids=["argument", "undefined", "text", "fails", "outside", "compiler"],
)
def test_a_wrong_operator_is_refused_in_one_line_before_anything_is_compiled(text, message, monkeypatch, request):
    if "compiled" in message:
        request.getfixturevalue("compiler")
    with pytest.raises(hierq.InputError, match=message) as refused:
        config = hierq.AgentConfig(backup=hierq.Backup(operator_of(text), n=2))
        hierq.Agent(hierq.make_world("rooms-example"), config)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400


def test_an_edited_operator_is_another_one():
    one, same, other, helper = (
        hierq.Backup(operator_of(text), n=2).function
        for text in (
            "@hierq.operator\ndef wrong(v, y):\n    return max(v, y)",
            "@hierq.operator\ndef wrong(v, y):\n    '''Words.'''\n    return max( v, y )  # comment",
            "@hierq.operator\ndef wrong(v, y):\n    return min(v, y)",
            "def better(v, y):\n    return max(v, y)\n@hierq.operator\ndef wrong(v, y):\n    return better(v, y)",
        )
    )
    assert one == same and one.label == same.label
    assert len({one.label, other.label, helper.label}) == 3


def test_what_an_operator_uses_is_part_of_its_hash():
    text = "SHARE = {}\ndef part(y):\n    return {} * y\n@hierq.operator\ndef wrong(v, y):\n    return SHARE * part(y)"
    labels = {
        hierq.Backup(operator_of(text.format(*values)), n=2).function.label for values in ((1, 2), (1, 3), (2, 2))
    }
    assert len(labels) == 3


def test_an_operator_is_part_of_the_key_of_a_run():
    world = hierq.make_world("rooms-example")
    configs = [
        hierq.AgentConfig(
            backup=hierq.Backup(operator_of(f"@hierq.operator\ndef wrong(v, y):\n    return {body}"), n=2)
        )
        for body in ("max(v, y)", "min(v, y)")
    ]
    study = hierq.Study(worlds=(world,), agents=tuple(configs))
    assert len({case.key for case in study.cases}) == len({case.id for case in study.cases}) == 2
    assert hierq.Study.from_dict(json.loads(json.dumps(study.to_dict()))) == study


def test_whether_ranks_hold_its_values_is_found_out_by_trying():
    def kind(body, arguments="q, v, y"):
        text = f"@hierq.operator\ndef wrong({arguments}):\n    return {body}"
        config = hierq.AgentConfig(levels=2, backup=hierq.Backup(operator_of(text), n=3))
        return hierq.Agent(hierq.make_world("rooms-example"), config).layout.kind

    assert kind("max(v, y)") == kind("y if q == v else v") == kind("min(q, y)") == "ranks"
    assert kind("0.5 * (v + y)") == kind("v + (y - q)") == "values"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@hierq.explorer\ndef wrong(place):\n    return 0", "has an argument place; an explorer may ask for level,"),
        ("@hierq.explorer\ndef wrong(level):\n    return unknown", "wrong uses unknown, which is not defined"),
        (
            "@hierq.explorer\ndef wrong(level):\n    return 0.5",
            "returns float64; it must return the number of an action",
        ),
        ("@hierq.explorer\ndef wrong(actions):\n    actions[0] = 1\n    return -1", "cannot be compiled: .*readonly"),
    ],
    ids=["argument", "undefined", "type", "writes"],
)
def test_a_wrong_explorer_is_refused_in_one_line(text, message, request):
    if "returns" in message or "compiled" in message:
        request.getfixturevalue("compiler")
    with pytest.raises(hierq.InputError, match=message) as refused:
        hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(explore=operator_of(text)))
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("interpreter_first")
def test_an_error_in_an_explorer_is_told_as_such():
    text = "@hierq.explorer\ndef wrong(visits):\n    return visits[10**9]"
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(explore=operator_of(text), step_limit=50))
    with pytest.raises(hierq.InputError, match=r"the explorer wrong fails: IndexError: .*out of bounds"):
        agent.train(1)


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("returned", [4, -2, 10**6])
def test_an_explorer_that_returns_no_action_is_refused_before_it_does_harm(returned):
    text = f"@hierq.explorer\ndef wrong(level):\n    return {returned} if level == 0 else hierq.GREEDY"
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(explore=operator_of(text), step_limit=50))
    with pytest.raises(hierq.InputError, match=f"the explorer wrong returned {returned}, which is no action there"):
        agent.train(1)


@pytest.mark.usefixtures("interpreter_first")
def test_an_explorer_that_spoils_the_random_numbers_is_refused():
    text = "@hierq.explorer\ndef wrong(rng):\n    rng[:] = 0\n    return hierq.GREEDY"
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(explore=operator_of(text), step_limit=50))
    with pytest.raises(hierq.InputError, match="the explorer wrong, or a rival, has written to rng"):
        agent.train(1)


@pytest.mark.usefixtures("interpreter")
def test_an_operator_that_returns_whole_numbers_keeps_the_discount():
    """A whole number is no rank: in local tables as in dense ones."""
    operator = operator_of("@hierq.operator\ndef wrong(v, y):\n    return 1 if y > 0 else 0")
    values = []
    for tables in ("dense", "local"):
        backup = hierq.Backup(operator, n=3)
        config = hierq.AgentConfig(levels=2, backup=backup, tables=tables, radius=50, nearness="L1", step_size=0.5)
        agent = hierq.Agent(hierq.make_world("rooms-example"), config)
        agent.replay("ENSEESWEN"[:9])
        values.append(agent.values(0))
    assert (values[0] == values[1]).all() and 0 < values[0].max() < 1


def in_a_file(folder, name, text):
    (folder / f"{name}.py").write_text(f"import hierq\n{text}")
    return Operator.from_file(f"{name}.py:chosen", folder)


FACTORY = """
def make(share):
    def helper(y, half={default}):
        return half * y
    @hierq.operator
    def made(v, y):
        return share * helper(y)
    return made
chosen = make({share})
other = make(99.0)  # what the function around it leaves behind does not matter
"""


def test_what_stands_around_a_function_is_fixed_and_part_of_its_hash(tmp_path):
    """Closures, defaults and helpers: each gives another label, and computes with its own numbers."""
    values = [(0.5, 1.0), (1.0, 1.0), (1.0, 0.5)]
    parts = [
        in_a_file(tmp_path, f"file{k}", FACTORY.format(share=share, default=default)).settled()
        for k, (share, default) in enumerate(values)
    ]
    assert len({part.label for part in parts}) == 3
    assert [part(0.0, 8.0) for part in parts] == [4.0, 8.0, 4.0]


def test_a_variable_that_changes_later_changes_nothing():
    made = []
    for share in (0.5, 1.0):

        @hierq.operator
        def scaled(y):
            return share * y  # noqa: B023

        made.append(hierq.Backup(scaled, n=2).function)
    assert [part(8.0) for part in made] == [4.0, 8.0] and made[0] != made[1]


SHARE = 0.5


def shared(y):
    return SHARE * y


def passed_on(y, to=shared, *, times=2.0):
    return times * to(y)


def test_defaults_that_change_later_change_nothing(monkeypatch):
    """Neither the number that a function reads that is a default, nor a default itself."""

    @hierq.operator
    def scaled(y):
        return passed_on(y)

    made = [hierq.Backup(scaled, n=2).function]
    monkeypatch.setattr(sys.modules[__name__], "SHARE", 1.0)
    made.append(hierq.Backup(scaled, n=2).function)
    monkeypatch.setitem(passed_on.__kwdefaults__, "times", 3.0)
    made.append(hierq.Backup(scaled, n=2).function)
    assert [part(8.0) for part in made] == [8.0, 16.0, 24.0] and len({part.label for part in made}) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import random\n@hierq.operator\ndef chosen(y):\n    return y * random.random()", "random numbers of its own"),
        (
            "from random import random as draw\n@hierq.operator\ndef chosen(y):\n    return y * draw()",
            "numbers of its own",
        ),
        ("import numpy.random as n\n@hierq.operator\ndef chosen(y):\n    return y * n.rand()", "uses n, a module"),
        (
            "import numpy\n@hierq.operator\ndef chosen(y):\n    n = numpy\n    return y * n.random.rand()",
            "uses numpy, a module",
        ),
        (
            "import numpy as np\n@hierq.operator\ndef chosen(y):\n    return y * np.random.uniform()",
            "uses np.random.unif",
        ),
        (
            "import numpy\ndraw = numpy.random.default_rng().random\n"
            "@hierq.operator\ndef chosen(y):\n    return y * draw()",
            "uses draw",
        ),
        (
            "import random, numpy\ndraw = numpy.frompyfunc(lambda y: y * random.random(), 1, 1)\n"
            "@hierq.operator\ndef chosen(y):\n    return draw(y)",
            "uses draw, a ufunc",
        ),
        ("from time import time as now\n@hierq.operator\ndef chosen(y):\n    return y * (now() > 0)", "uses now"),
        ("@hierq.operator\ndef chosen(y):\n    return y * id(y)", "uses id, a builtin"),
        ("@hierq.operator\ndef chosen(y):\n    import random\n    return y * random.random()", "imports random when"),
        (
            "N = 0\n@hierq.operator\ndef chosen(y):\n    global N\n    N += 1\n    return y * N",
            "changes N, which is not",
        ),
        (
            "def make():\n    n = 0\n    @hierq.operator\n    def made(y):\n        nonlocal n\n        n += 1\n"
            "        return y * n\n    return made\nchosen = make()",
            "changes n, which is not",
        ),
        (
            "def fade(y):\n    return y if y < 1 else fade(y / 2)\n@hierq.operator\ndef chosen(y):\n    return fade(y)",
            "fade calls itself, .*write it as a loop",
        ),
        ("@hierq.operator\ndef chosen(y):\n    return chosen(y)", "chosen calls itself"),
        (
            "import json\n@hierq.operator\ndef chosen(y):\n    return json.loads('1') * y",
            "uses json, a module",
        ),
        (
            "class Twice:\n    def __init__(self, function):\n        self.function = function\n"
            "    def __call__(self, y):\n        return 2 * self.function(y)\n"
            "@Twice\ndef twice(y):\n    return y\n@hierq.operator\ndef chosen(y):\n    return twice(y)",
            "uses twice, a Twice",
        ),
        (
            "class Big(float):\n    def __mul__(self, other):\n        return 99.0\nbig = Big(2.0)\n"
            "@hierq.operator\ndef chosen(y):\n    return big * y",
            "uses big, a Big",
        ),
        (
            "import numpy\n@hierq.operator\ndef chosen(y):\n    return y + float(numpy.empty_like(y))",
            "uses numpy.empty_like",
        ),
        (
            "@hierq.operator\ndef chosen(y):\n    for word in {'a', 'bb', 'ccc'}:\n"
            "        y *= len(word)\n        break\n    return y",
            "uses a set, whose order may be another",
        ),
        ("@hierq.operator\ndef chosen(y):\n    return y * len([*{'a', 'bb'}][0])", "uses a set"),
        ("@hierq.operator\ndef chosen(y):\n    return y * 'y'.__hash__()", "uses __hash__, which may be another"),
        ("class Low: pass\n@hierq.operator\ndef chosen(y):\n    return Low and y", "uses Low, a type"),
        ("@hierq.operator\ndef chosen(y):\n    return float('nan')", "returns nan, which is not a finite number"),
        ("chosen = hierq.operator(lambda y: y)", "is no function made with def"),
        ("import sys\nsys.exit()", "cannot be run: SystemExit"),
        ("@hierq.operator\ndef chosen(z):\n    return z", "^the operator chosen has an argument z"),
    ],
)
def test_what_a_hash_could_not_tell_is_refused(text, message, tmp_path):
    with pytest.raises(hierq.InputError, match=message):
        config = hierq.AgentConfig(backup=hierq.Backup(in_a_file(tmp_path, "file", text), n=2))
        hierq.Agent(hierq.make_world("rooms-example"), config)


CALLER = """
@hierq.operator
def inner(v, y):
    return {body}
@hierq.operator
def chosen(q, v, y):
    return 0.5 * inner(v, y)
"""


def test_an_operator_may_call_another_and_is_told_from_one_that_calls_something_else(tmp_path):
    """Its inner operator as it was written, or as a configuration has fixed it."""
    parts = [in_a_file(tmp_path, f"file{k}", CALLER.format(body=body)).settled() for k, body in enumerate("vy")]
    assert [part(0.0, 2.0, 8.0) for part in parts] == [1.0, 4.0]
    labels = {part.label for part in parts}
    for k, body in enumerate("vy"):
        fixed = "inner = hierq.Backup(inner, n=2).function\n@hierq.operator\ndef chosen"
        text = CALLER.format(body=body).replace("@hierq.operator\ndef chosen", fixed)
        labels.add(in_a_file(tmp_path, f"fixed{k}", text).settled().label)
        text = text.replace("n=2).function", "n=2).function.function")
        labels.add(in_a_file(tmp_path, f"function{k}", text).settled().label)
    assert len(labels) == 2


@pytest.mark.usefixtures("compiler")
@pytest.mark.long
def test_two_operators_that_call_different_ones_have_kernels_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr("hierq.compiling.own_kernels.WORTH_COMPILING", -1.0)
    world, steps = hierq.make_world("rooms-example"), []
    for k, body in enumerate("vy"):
        config = hierq.AgentConfig(
            levels=2, backup=hierq.Backup(in_a_file(tmp_path, f"file{k}", CALLER.format(body=body)), n=3)
        )
        agent = hierq.Agent(world, config, seed=1)
        agent.train(5)
        steps.append(agent.values(0))
    assert not (steps[0] == steps[1]).all()


def test_a_source_that_is_no_longer_that_of_the_function_is_refused(tmp_path):
    part = in_a_file(tmp_path, "file", "@hierq.operator\ndef chosen(y):\n    return 0.5 * y\n")
    (tmp_path / "file.py").write_text("import hierq\n@hierq.operator\ndef chosen(y):\n    return 0.25 * y\n")
    with pytest.raises(hierq.InputError, match="the source of chosen has changed since it was loaded"):
        part.settled()


def test_a_file_that_has_changed_since_it_was_loaded_is_refused(tmp_path):
    """Even if the function itself is the same, and only a number that it uses is another."""
    text = "SHARE = {}\n@hierq.operator\ndef chosen(y):\n    return SHARE * y"
    first = in_a_file(tmp_path, "file", text.format(0.5))
    assert in_a_file(tmp_path, "file", text.format(0.5)).settled() == first.settled()
    with pytest.raises(hierq.InputError, match=r"file.py has changed since it was loaded; start a new"):
        in_a_file(tmp_path, "file", text.format(1.0))


def test_operators_that_treat_ranks_as_values_do_not_get_ranks():
    """Tolerances and thresholds mean something else among numbers of powers than among powers."""
    for body in ("y if v - q <= 1e-4 * v else v", "v if y == 0.95 else y", "v if 0.5 < y < 0.9 else y"):
        operator = operator_of(f"@hierq.operator\ndef wrong(q, v, y):\n    return {body}")
        assert not hierq.Backup(operator, n=3).can_hold_ranks(0.95)
    below_zero = operator_of("import math\n@hierq.operator\ndef wrong(y):\n    return y * math.log(y) if y > 0 else y")
    assert not hierq.Backup(below_zero, n=3).never_negative


def test_parts_can_be_sent_to_other_processes(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    import parts

    for operator in (Operator.from_file("parts.py:halfway", folder), parts.halfway):
        config = hierq.AgentConfig(backup=hierq.Backup(operator, n=2, decay=0.5))
        assert pickle.loads(pickle.dumps(config)) == config
    monkeypatch.delitem(sys.modules, "parts")


@pytest.mark.parametrize("bad", [[], {"a": 1}, None, 3])
def test_hops_and_schedules_are_words(bad):
    with pytest.raises(hierq.InputError, match="hops must be one of stride, single"):
        hierq.Backup("tree-backup", hops=bad)
    with pytest.raises(hierq.InputError, match="when must be one of step"):
        hierq.Backup("tree-backup", when=bad)


WILD = """
import hierq

@hierq.rival
def rule(table, state, action, successor, trace, time, rng, model, queue, buffer):
    any_number, which = hierq.below(rng, 4_000_000_000) - 2_000_000_000, hierq.below(rng, 200)
    s = any_number if which == 0 else state
    a = any_number if which == 1 else action
    led_to = any_number if which == 2 else successor
    if which % 2 == 0:
        hierq.learn_step(table, s, a, led_to)
    else:
        hierq.learn_goal(table, s, a, led_to, any_number if which == 3 else state)
    if which == 4:
        hierq.learn_again(table, trace, any_number)
    if which == 8:
        model.successor[any_number] = 1
    elif which == 9:
        queue.priority[any_number] = 1.0
    elif which == 10:
        buffer.states[any_number] = 1
    elif which == 11:
        model.size[0] = trace.states[any_number]
    elif which == 12:
        model.size[0] = table.level.q[any_number, 0]
    elif which == 13:
        model.successor[0] = model.size[0] = buffer.total[0] = any_number

@hierq.explorer
def explore(actions, visits, successors, memory, state, rng):
    any_number, which = hierq.below(rng, 4_000_000_000) - 2_000_000_000, hierq.below(rng, 200)
    if which == 0:
        return any_number
    if which == 1:
        return visits[any_number]
    if which == 2:
        return successors[state, any_number]
    if which == 3:
        memory[any_number] = 1
    if which == 4:
        return actions[any_number]
    return hierq.epsilon_greedy(0.5, actions, rng)

backup = hierq.Rival(rule)
config = hierq.AgentConfig(levels=1, universal_top=True, backup=backup, explore=explore, step_limit=30)
agent, said = hierq.Agent(hierq.World.from_text("S.G"), config), set()
for _ in range(600):
    try:
        agent.train(1)
    except hierq.InputError as problem:
        said.add("".join(letter for letter in str(problem) if letter not in "-0123456789"))
for line in sorted(said):
    print(line)
print("alive", 0 <= agent.values(0).min() <= agent.values(0).max() <= 1)
"""


@pytest.mark.long
def test_no_index_that_a_users_function_hands_in_ends_the_process(tmp_path):
    """Random numbers for every function and array that a rival or an explorer is given, in compiled code."""
    (tmp_path / "wild.py").write_text(WILD)
    environment = {**os.environ, "NUMBA_OPT": "1", "NUMBA_BOUNDSCHECK": "0", "HIERQ_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "wild.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert done.stdout.endswith("alive True\n")
    for refused in ("that is not in the world", "not in the trace", "which is no action", "out of bounds"):
        assert refused in done.stdout, done.stdout
