"""`hierq verify`: whether every result is intact, and a digest for comparison."""

from hierq.cli.options import Results
from hierq.cli.terminal import INCOMPLETE
from hierq.wording import plural


def verify(folder: Results) -> int:
    """Check every file of a study's results, name damaged ones, and print a digest.

    The digest is of the steps of all runs: equal studies have equal digests, however they were run. Nothing is
    changed; hierq sweep sets damaged files aside and does their runs again. The exit code is 1 if something is
    wrong, or if runs of a study that was finished are missing.

        hierq verify results/
    """
    from hierq.studies.verification import verify as check

    found = check(folder)
    lines = [f"{found.runs:,} of {found.planned:,} runs are there and sound"]
    lines += [f"damaged: {path}" for path in found.damaged]
    if found.damaged:
        lines.append("hierq sweep sets damaged files aside and does their runs again")
    lines += [f"wrong: {problem}" for problem in found.problems]
    lines += [f"set aside before: {path}" for path in found.aside]
    if found.unfinished:
        lines.append(
            f"{plural(len(found.unfinished), 'file')} of processes that were killed while writing, such as "
            f"{found.unfinished[0]}; once no process is writing, they can be deleted"
        )
    print("\n".join([*lines, f"digest {found.digest}"]))
    return 0 if found.sound else INCOMPLETE
