"""`python -m tests.oracle`, from the top of the repository. See `command`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
