"""Long runs of the comparison of `test_preempting_agrees`: `cd tests && python -m properties.fuzz_preempting --help`.

Each story has a number, so that a failing one can be played again: `takers.story(number, turns)`.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections import Counter

from command_lists import commands
from properties.attempts import compared_attempts
from takers import story
from twins import Twins


def failure(number: int, turns: int, seen: Counter[str]) -> BaseException | None:
    """What goes wrong, or None."""
    told = story(number, turns)
    try:
        with compared_attempts(seen):
            twins = Twins(told.loaded, release=told.release)
            for _ in commands(twins, told.steps):
                pass
        twins.agree_in_state()
        if not number % 10:
            twins.retrace(number % 7 + 1)
    except Exception as error:
        return error
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=1000, help="how many are played")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--turns", type=int, default=15, help="turns of each")
    parser.add_argument("--failures", type=int, default=3, help="end after so many failing stories")
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    played = failed = 0
    started = time.monotonic()
    for number in range(options.first, options.first + options.stories):
        error = failure(number, options.turns, seen)
        played += 1
        if error is not None:
            failed += 1
            turns = next(turns for turns in range(options.turns + 1) if failure(number, turns, Counter()) is not None)
            print(f"story({number}, {turns})", flush=True)
            traceback.print_exception(error, limit=-4)
            if failed == options.failures:
                break
        if played % 500 == 0:
            print(f"{played} stories, {failed} failed, {time.monotonic() - started:.0f} s", flush=True)
    print(f"{played} stories from {options.first} on, {failed} failed; attempts: {dict(sorted(seen.items()))}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
