"""`python -m hierq` is the command `hierq`."""

import sys

from hierq_command import main

sys.exit(main())
