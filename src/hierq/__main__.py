"""`python -m hierq` is the command `hierq`."""

import sys

from hierq.cli import main

sys.exit(main())
