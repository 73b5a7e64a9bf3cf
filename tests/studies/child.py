"""A process that the tests start, hurt and kill: runs a study in small batches and tells how far it is.

child.py run STUDY.toml FOLDER [I/N]     says "begin", then "run" for every finished run, then the digest
child.py hold FOLDER                     holds the lock of a folder until it is killed

Settings come as environment variables: WORKERS, FILE_LIMIT (bytes a file may have), NOBODY (gives up root's rights),
KILL_AT (it kills itself before that operation on a file of the folder; 0: never, and it says at the end how many
there were).
"""

import atexit
import os
import resource
import signal
import sys
import time

from hierq import InputError, Study
from hierq.agents.precompile import compile_kernels
from hierq.studies import batches, rows
from hierq.studies.running import run_study
from hierq.studies.store import Store

batches.BATCH_SECONDS = 0.1
batches.MAX_RUNS = 10


class Teller:
    def begin(self, study, pending, present):
        print("begin", flush=True)
        if "FILE_LIMIT" in os.environ:
            compile_kernels()
            limit = int(os.environ["FILE_LIMIT"])
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    def finished(self, case_id, seconds):
        print("run", flush=True)

    def refused(self, case_id, reason):
        print("refused", case_id, flush=True)


def kill_at(number, folder):
    """Ends this process before an operation that opens, renames, removes or makes something below a folder."""
    seen = 0

    def count(event, what):
        nonlocal seen
        is_file = event == "open" or event.startswith("os.")
        if is_file and any(str(word).startswith(folder) for word in what if isinstance(word, str | os.PathLike)):
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    if number == 0:
        atexit.register(lambda: print(seen))


def run(toml, folder, shard=None):
    study = Study.from_toml(toml)
    if "KILL_AT" in os.environ:
        kill_at(int(os.environ["KILL_AT"]), folder)
    if "NOBODY" in os.environ:
        compile_kernels()
        rows.versions()  # nobody may be unable to import anything more
        if os.getuid() == 0:
            os.setuid(65534)
    share = tuple(int(part) for part in shard.split("/")) if shard else None
    workers = int(os.environ.get("WORKERS", "2"))
    try:
        outcome = run_study(study, folder, workers=workers, shard=share, watch=Teller())
        print(outcome.digest)
    except KeyboardInterrupt:
        print(None)
        return 130
    return 0


def hold(folder):
    with Store(folder).lock():
        print("held", flush=True)
        time.sleep(60)
    return 0


try:
    sys.exit({"run": run, "hold": hold}[sys.argv[1]](*sys.argv[2:]))
except InputError as problem:
    print(problem, file=sys.stderr)
    sys.exit(2)
