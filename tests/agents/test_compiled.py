"""The compiler's settings that the kernels count on."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import hierq.agents
from hierq.agents import compiled


def test_kernels_cannot_allocate(compiler):
    """Without Numba's reference counting there is no allocation; a private option that a new Numba might drop."""

    @compiled.kernel
    def allocates(count):
        return np.zeros(count).sum()

    with pytest.raises(numba.core.errors.NumbaError):
        allocates(3)


def test_every_file_with_kernels_is_part_of_the_cache_key():
    folder = Path(hierq.agents.__file__).parent
    users = {
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"agents\.compiled import .*\b(kernel|inlined|pasted)\b", path.read_text())
    }
    assert users | {"compiled"} == set(compiled.KERNEL_SOURCES)


def test_the_global_cache_folder_of_numba_is_left_alone():
    assert numba.config.CACHE_DIR == os.environ.get("NUMBA_CACHE_DIR", "")


CODE = """
from hierq.agents import compiled
import hierq
print(compiled.is_warm(), compiled.CACHE_FOLDER)
hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=1, step_limit=5)).train(1)
print(compiled.is_warm())
"""


def in_a_process(folder):
    environment = {"HIERQ_CACHE_DIR": str(folder), "PATH": "/usr/bin:/bin", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, timeout=300, check=True
    )
    return done.stdout.split()


def test_where_nothing_can_be_written_kernels_are_compiled_each_time(tmp_path, compiler):
    (tmp_path / "file").write_text("")
    assert in_a_process(tmp_path / "file" / "folder") == ["False", "None", "False"]
