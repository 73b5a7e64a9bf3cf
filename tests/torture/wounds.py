"""Files of results, agents and kernels are damaged in every way; that must be seen, and mended where it can be."""

import random
import shutil
import warnings
from pathlib import Path

from small_studies import small_study
from tally import Tally

import hierq
from agents.test_kernel_cache import doubled_by_a_new_kernel, files_of
from damages import any_damage
from hierq import Agent, AgentConfig, Traces, run_study
from hierq.compiling import cache_folder
from hierq.studies.rows import digest_of, rows_of
from hierq.studies.store import MANIFEST, Store
from hierq.studies.verification import verify


def damaged(path: Path, chance: random.Random) -> bool:
    """Damages a file; False if it is the same as before."""
    content = path.read_bytes()
    path.write_bytes(any_damage(chance)(content))
    return path.read_bytes() != content


def results(folder: Path, count: int, chance: random.Random) -> Tally:
    """A file of a finished study is damaged: it must be seen, and the study mended. The manifest may be refused."""
    tally = Tally("results damaged")
    study, whole, out = small_study(seeds=8), folder / "whole", folder / "out"
    run_study(small_study(seeds=4), whole)
    run_study(study, whole)
    digest = verify(whole).digest

    def look_and_mend() -> str | None:
        if victim.name != MANIFEST and verify(out).sound:
            return "damage was not seen"
        mended = run_study(study, out).digest
        if victim.name != MANIFEST and not (mended == digest and verify(out).sound):
            return "it was not mended"
        if digest_of(rows_of(study, Store(out).results())) != digest:
            return "other results were accepted"
        return None

    while tally.count < count:
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(whole, out)
        victim = chance.choice([*Store(out).files, out / MANIFEST])
        if not damaged(victim, chance):
            continue
        accepted = tally.tries(look_and_mend, f"{victim.name}, damage {tally.count}")
        if not accepted and victim.name != MANIFEST:
            tally.note("lost", "a study with a damaged file could not go on")
    return tally


def save_agent(path: Path) -> Agent:
    """An agent that has learnt a little, and its file."""
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig(levels=2, backup=Traces(1.0)), seed=5)
    agent.train(2)
    agent.save(path)
    return agent


def agents(folder: Path, count: int, chance: random.Random) -> Tally:
    """A saved agent with any damage is not loaded."""
    tally, path = Tally("agents damaged"), folder / "agent.safetensors"
    save_agent(path)
    content = path.read_bytes()

    def load() -> str:
        Agent.load(path)
        return "it was loaded"

    while tally.count < count:
        path.write_bytes(content)
        if damaged(path, chance):
            tally.tries(load, f"damage {tally.count}")
    return tally


def kernels(folder: Path, count: int, chance: random.Random) -> Tally:
    """A damaged kernel is compiled again."""
    tally = Tally("cache damaged")
    before, cache_folder.CACHE_FOLDER = cache_folder.CACHE_FOLDER, folder / "kernels"
    cache_folder.CACHE_FOLDER.mkdir(mode=0o700)

    def call() -> str | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value, hits = doubled_by_a_new_kernel()
        return None if (value, hits) == (42, 0) else f"it gave {value}, {hits} times from the cache"

    try:
        while tally.count < count:
            doubled_by_a_new_kernel()
            victim = chance.choice([path for path in files_of(cache_folder.CACHE_FOLDER) if path.suffix != ".bad"])
            if damaged(victim, chance):
                tally.tries(call, f"{victim.name}, damage {tally.count}")
            for path in cache_folder.CACHE_FOLDER.rglob("*.bad"):
                path.unlink()
    finally:
        cache_folder.CACHE_FOLDER = before
    return tally
