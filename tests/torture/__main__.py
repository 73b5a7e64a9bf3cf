"""Kills, damage and nonsense, in numbers: what hierq promises to bear.

    python tests/torture --scale 1 --seed 0

Scale 1 is all of it: 500 kills, a kill at every file operation, 1,000 damaged files, 20,000 fuzzed inputs. Prints a
table, each campaign as it ends, and ends with 1 unless nothing was lost, done twice, wrong, left without words, or
without end.
"""

import argparse
import sys
import time
import warnings

import conftest  # noqa: F401  where the helpers of other tests are

# isort: split
from campaigns import COUNTS, campaign
from tally import head, row


def main() -> int:
    """All campaigns, and the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="1: all of it; 0.05: a twentieth of each")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(head(), flush=True)
    clean = True
    for call in COUNTS:
        begun = time.monotonic()
        tally = campaign(call, options.scale, options.seed)
        clean = clean and tally.is_clean
        print(row(tally), flush=True)
        print(f"{tally.what}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        for words in tally.told[:5]:
            print(words, file=sys.stderr, flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
