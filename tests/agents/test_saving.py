"""Saved agents go on as if nothing had happened; files that are no saved agents are refused in plain words."""

import json
import os
import struct
import warnings

import numpy as np
import pytest
from drawn import configs, maps, pair_of, stored_entries
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file, save, save_file

import hierq
from hierq import Agent, AgentConfig, Traces, saved_files
from hierq.agents.value_warnings import DivergedWarning
from hierq.files import BLANK_SEAL, sealed


@settings(max_examples=15)
@given(
    maps(),
    st.booleans().flatmap(lambda soft: configs(soft=soft, most_levels=3)),
    st.integers(0, 99),
)
def test_a_loaded_agent_goes_on_exactly(tmp_path_factory, map_text, drawn, seed):
    path = tmp_path_factory.mktemp("saved") / "agent.safetensors"
    agent, _ = pair_of(map_text, drawn, seed)
    agent.alternate(2)
    agent.save(path)
    loaded = Agent.load(path)
    assert (loaded.config, loaded.world, loaded.world.name, loaded.seed) == (
        agent.config,
        agent.world,
        agent.world.name,
        agent.seed,
    )
    assert stored_entries(loaded) == stored_entries(agent)
    for _ in range(2):
        assert np.array_equal(loaded.alternate(2), agent.alternate(2))
    assert stored_entries(loaded) == stored_entries(agent)
    assert os.listdir(path.parent) == [path.name]


@pytest.fixture
def saved(tmp_path):
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig(levels=2, backup=Traces(1.0)), seed=5)
    agent.replay("ENSEESWEN")
    path = tmp_path / "agent.safetensors"
    agent.save(path)
    return path


def test_a_file_is_small(saved):
    assert saved.stat().st_size < 20_000


def header_of(path):
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    return json.loads(content[8 : 8 + length])["__metadata__"]


def forged(path, metadata=None, **tensors):
    """Writes the file again with some metadata or tensors changed and a right checksum; None leaves one out."""
    contents = {**load_file(path), **tensors}
    changed = {**header_of(path), "seal": BLANK_SEAL, **(metadata or {})}
    text = {k: v for k, v in changed.items() if v}
    content = save({k: v for k, v in contents.items() if v is not None}, text)
    path.write_bytes(sealed(content) if "seal" in text else content)


def no_list(config):
    return json.dumps({**json.loads(config), "levels": 0})


def with_a_wall(columns):
    return np.append(columns[:-1], hierq.make_world("rooms-example").cells - 1)


FORGERIES = {
    "foreign": (lambda p: save_file({"a": np.zeros(3)}, p), "no agent that hierq saved"),
    "other version": (lambda p: forged(p, {"hierq_agent": "7"}), "format 7"),
    "no config": (lambda p: forged(p, {"config": None}), "config"),
    "config is no JSON": (lambda p: forged(p, {"config": "{"}), "cannot load the agent in"),
    "config is a list": (lambda p: forged(p, {"config": "[]"}), "cannot load the agent in"),
    "deep config": (lambda p: forged(p, {"config": "[" * 50_000}), "cannot load the agent in"),
    "unknown setting": (lambda p: forged(p, {"config": '{"evil": 1}'}), "unknown settings: evil"),
    "bad setting": (lambda p: forged(p, {"config": no_list(header_of(p)["config"])}), "at least 1"),
    "huge setting": (lambda p: forged(p, {"config": '{"discount": 1' + "0" * 400 + "}"}), "discount"),
    "random seed": (lambda p: forged(p, {"seed": '{"entropy": null, "spawn_key": []}'}), "cannot load the agent in"),
    "unreadable name": (lambda p: forged(p, {"world_name": "a\x1b[31m"}), "cannot load the agent in"),
    "bad map": (lambda p: forged(p, {"world": "##\n"}), "cannot load the agent in"),
    "bad seed": (lambda p: forged(p, {"seed": "x"}), "cannot load the agent in"),
    "missing rows": (lambda p: forged(p, rows_1=None), "rows_1 is missing"),
    "extra": (lambda p: forged(p, more=np.zeros(1)), "more are not part of a saved agent"),
    "wrong type": (lambda p: forged(p, random=np.zeros(4, np.float32)), "random has type F32"),
    "no randomness": (lambda p: forged(p, random=np.zeros(4, np.uint64)), "random is 0"),
    "no checksum": (lambda p: forged(p, {"seal": None}), "its checksum is not that of its content"),
    "wrong shape": (lambda p: forged(p, random=np.zeros(3, np.uint64)), "shape"),
    "too many columns": (lambda p: forged(p, columns=np.arange(99)), "columns"),
    "column of a wall": (lambda p: forged(p, columns=with_a_wall(load_file(p)["columns"])), "columns are not those"),
    "same column twice": (lambda p: forged(p, columns=np.zeros(8, np.int64)), "columns"),
    "state outside": (lambda p: forged(p, states_1=load_file(p)["states_1"] + 900), "states_1"),
    "action outside": (lambda p: forged(p, actions_1=load_file(p)["actions_1"] - 900), "actions_1"),
    "out of reach": (lambda p: forged(p, actions_1=0 * load_file(p)["actions_1"] + 30), "reach"),
    "twice the same": (
        lambda p: forged(
            p,
            **{
                name: np.repeat(load_file(p)[name][:1], len(load_file(p)[name]), axis=0)
                for name in ("states_1", "actions_1", "rows_1")
            },
        ),
        "states_1 is not what an agent with these settings saves",
    ),
    "other moves": (
        lambda p: forged(p, **{n: load_file(p)[n][::-1].copy() for n in ("states_0", "actions_0", "rows_0")}),
        "states_0 is not what an agent with these settings saves",
    ),
    "truncated": (lambda p: p.write_bytes(p.read_bytes()[:-100]), "damaged"),
    "cut in the header": (lambda p: p.write_bytes(p.read_bytes()[:50]), "damaged"),
    "empty": (lambda p: p.write_bytes(b""), "damaged"),
    "text": (lambda p: p.write_text("hello, I am an agent"), "damaged"),
    "huge header": (lambda p: p.write_bytes(struct.pack("<Q", 2**62) + b"{}"), "damaged"),
    "huge tensor": (
        lambda p: p.write_bytes(
            (lambda h: struct.pack("<Q", len(h)) + h)(
                b'{"__metadata__":{"hierq_agent":"4"},"a":{"dtype":"F64","shape":[1000000000000],"data_offsets":[0,8000000000000]}}'
            )
        ),
        "damaged",
    ),
    "gone": (lambda p: p.unlink(), "there is no file"),
    "folder": (lambda p: (p.unlink(), p.mkdir()), "is a folder"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_is_no_saved_agent_is_refused(saved, name):
    forge, words = FORGERIES[name]
    forge(saved)
    with pytest.raises(hierq.InputError) as refusal:
        Agent.load(saved)
    assert words in str(refusal.value), str(refusal.value)
    assert saved.name in str(refusal.value)


@pytest.mark.parametrize("settings", [{"levels": 1}, {"levels": 1, "universal_top": True, "step_size": 0.5}], ids=str)
def test_no_columns_but_those_of_the_agent_are_given_out(tmp_path, settings):
    """A table has room for its goals only; a kernel would write beyond its end."""
    path = tmp_path / "agent.safetensors"
    agent = Agent("rooms-example", AgentConfig(**settings))
    agent.save(path)
    forged(path, columns=np.arange(agent.world.cells), rows_0=np.zeros((4 * agent.world.states, agent.world.cells)))
    with pytest.raises(hierq.InputError, match=r"columns are not those of|columns has type I64 and shape"):
        Agent.load(path)


@pytest.mark.parametrize("value", [0.9, 2.0, -1.0, np.nan])
def test_values_that_no_table_of_ranks_holds_are_refused(tmp_path, value):
    path = tmp_path / "agent.safetensors"
    agent = Agent("rooms-example", AgentConfig(levels=1))
    agent.save(path)
    assert agent.layout.kind == "ranks"
    forged(path, rows_0=np.full_like(load_file(path)["rows_0"], value))
    with pytest.raises(hierq.InputError, match="rows_0 is not what an agent with these settings saves"):
        Agent.load(path)


def changed_without_notice(path, metadata=None, **tensors):
    """As `forged`, but with the checksum of what was there before."""
    before = header_of(path).get("seal")
    forged(path, metadata, **tensors)
    if before is not None:
        path.write_bytes(path.read_bytes().replace(header_of(path)["seal"].encode(), before.encode()))


def other_goal(world):
    return world.translate(str.maketrans("SG", "GS"))


CHANGES = {
    "discount": lambda p: {"config": header_of(p)["config"].replace('"discount": 0.95', '"discount": 0.94')},
    "start and goal": lambda p: {"world": other_goal(header_of(p)["world"])},
    "seed": lambda p: {"seed": "6"},
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_is_noticed(saved, name):
    change = CHANGES[name](saved)
    assert not change.items() <= header_of(saved).items()
    changed_without_notice(saved, change)
    with pytest.raises(hierq.InputError, match="is damaged: its checksum is not that of its content"):
        Agent.load(saved)


def test_no_damaged_byte_is_overlooked(saved):
    content = saved.read_bytes()
    places = np.random.default_rng(0).integers(8 * len(content), size=150)
    for place in places.tolist():
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        saved.write_bytes(damaged)
        with pytest.raises(hierq.InputError):
            Agent.load(saved)


def test_shapes_are_looked_at_before_anything_is_allocated(saved, monkeypatch):
    """More levels than the file has tables for, or tables of another width."""
    settings, rows = json.loads(header_of(saved)["config"]), load_file(saved)["rows_1"]
    monkeypatch.setattr(Agent, "__init__", lambda self, *what, **more: pytest.fail("tables were made"))
    changes = {
        "rows_1 has type F64 and shape .18, 1., not F64 and .18, 8.": {"levels": 5},
        "states_2 is missing": {"levels": 3, "universal_top": False},
        "actions_1, rows_1, states_1 are not part of": {"levels": 1, "universal_top": True},
    }
    for words, change in changes.items():
        width = 8 if change["levels"] == 3 else 1
        forged(saved, {"config": json.dumps({**settings, **change})}, rows_1=rows.repeat(width, axis=1))
        with pytest.raises(hierq.InputError, match=words):
            Agent.load(saved)


def test_a_world_too_large_is_refused_before_it_is_allocated(saved):
    huge = hierq.gridworld(700, 700)
    forged(saved, {"world": huge.text, "config": json.dumps(AgentConfig(levels=4).to_dict())})
    with pytest.raises(hierq.InputError, match="its world has 490000 states of 4 moves, which its tables do not fit"):
        Agent.load(saved)


def test_what_is_not_saved_is_set(tmp_path, once):
    """Columns that are given out after loading begin with the start value."""
    config = AgentConfig(levels=3, backup=hierq.TreeBackup(3), step_limit=20)
    agent = Agent(hierq.make_world("maze-10"), config, seed=3)
    agent.train(1)
    agent.save(tmp_path / "agent.safetensors")
    loaded = Agent.load(tmp_path / "agent.safetensors")
    assert np.array_equal(loaded.alternate(20), agent.alternate(20))
    assert np.array_equal(loaded.values(1), agent.values(1)) and loaded.learnt(1) == agent.learnt(1)


@pytest.mark.parametrize("entropy", [7, np.int64(5), [1, 2, 3]])
def test_seed_sequences_are_kept(tmp_path, entropy, once):
    sequence = np.random.SeedSequence(entropy, spawn_key=(4, 2))
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig(), sequence)
    agent.save(tmp_path / "agent.safetensors")
    loaded = Agent.load(tmp_path / "agent.safetensors")
    assert loaded.seed.spawn_key == (4, 2) and np.array_equal(loaded.seed.entropy, entropy)
    assert np.array_equal(Agent(loaded.world, loaded.config, loaded.seed).train(3), agent.train(3))


def test_others_may_read_a_saved_agent(saved):
    assert saved.stat().st_mode & 0o777 == 0o666 & ~current_umask()


def current_umask():
    umask = os.umask(0o022)
    os.umask(umask)
    return umask


def test_saving_where_one_cannot(tmp_path):
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig())
    with pytest.raises(hierq.InputError, match="cannot write"):
        agent.save(tmp_path / "nowhere" / "agent.safetensors")
    (tmp_path / "taken").mkdir()
    with pytest.raises(hierq.InputError, match="cannot write"):
        agent.save(tmp_path / "taken")
    assert os.listdir(tmp_path) == ["taken"]


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_an_agent_that_diverges_says_so_and_is_saved_and_loaded_as_it_is(tmp_path):
    backup = hierq.Backup("never-cut", n=50, decay=1.0)
    config = hierq.AgentConfig(levels=2, backup=backup, step_size=1.0, step_limit=100, explore_train=1.0)
    agent = hierq.Agent(hierq.make_world("rooms-example"), config)
    agent.set_value(0, agent.world.start, 0, 1e308)
    agent.set_value(0, agent.world.start, 1, -1e308)
    with pytest.warns(DivergedWarning, match="Backup.*never-cut.* at step_size=1 .*does not converge"):
        for _ in range(10):
            agent.train(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.train(1)  # it is said once
    agent.save(tmp_path / "agent.safetensors")
    with pytest.warns(DivergedWarning):
        copy = hierq.Agent.load(tmp_path / "agent.safetensors")
    assert np.array_equal(copy.q_values(0), agent.q_values(0), equal_nan=True)


@pytest.mark.usefixtures("interpreter")
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
@pytest.mark.parametrize("tables", ["dense", "local"])
def test_values_that_diverge_far_from_the_last_state_are_told_of_soon(tables):
    @hierq.operator
    def minus(v, y):
        return -3 * y - 1

    backup = hierq.Backup(minus, n=5)
    config = hierq.AgentConfig(levels=2, backup=backup, step_limit=60, tables=tables, nearness="L1")
    agent = hierq.Agent(hierq.make_world("rooms-example"), config, seed=1)
    with pytest.warns(DivergedWarning):
        for _ in range(3):
            for state in range(0, agent.world.states, 7):
                agent.set_value(0, state, 0, 1e308)
            agent.train(2)


def test_a_huge_file_is_refused_by_its_shapes_before_it_is_read(tmp_path, monkeypatch):
    """Eight gigabytes of nothing: the file takes no room on the disk."""
    path = tmp_path / "huge.safetensors"
    hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig()).save(path)
    with safe_open(path, framework="numpy") as file:
        words = file.metadata()
    size = 8 * 10**9
    tensor = {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}
    header = json.dumps({"__metadata__": words, "random": tensor}).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + size)
    monkeypatch.setattr(saved_files, "has_seal", lambda content: pytest.fail("it was read"))
    with pytest.raises(hierq.InputError, match="which its tables do not fit"):
        hierq.Agent.load(path)
