"""Long random sequences of verbs against the model of `verb_sequences`: `cd tests && python -m properties.fuzz_verbs --help`.

Each sequence has a seed of its own, so that a failing one can be played again; its calls are printed, shortened as far as it
still fails.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from typing import Any

from properties.verb_sequences import STARTS, VERBS, Play

NAMES = list(VERBS)
WEIGHTS = [weight for weight, _ in VERBS.values()]
Drawn = tuple[str, tuple[Any, ...]]


def drawn(seed: int, longest: int) -> tuple[str, list[Drawn]]:
    """The start and the verbs of one sequence."""
    chance = random.Random(seed)
    names = chance.choices(NAMES, WEIGHTS, k=chance.randint(2, longest))
    return chance.choice(sorted(STARTS)), [(name, tuple(chance.choice(choices) for choices in VERBS[name][1])) for name in names]


def failure(start: str, verbs: list[Drawn], every: int) -> BaseException | None:
    """What goes wrong, or None."""
    try:
        play = Play(start, random.Random(str(verbs)), every)
        for name, arguments in verbs:
            play.do(name, arguments)
        play.finish()
    except Exception as error:
        return error
    return None


def shortened(start: str, verbs: list[Drawn], every: int) -> list[Drawn]:
    """As few of the verbs as still fail."""
    size = len(verbs) // 2
    while size:
        at = 0
        while at < len(verbs):
            fewer = verbs[:at] + verbs[at + size :]
            if fewer and failure(start, fewer, every) is not None:
                verbs = fewer
            else:
                at += size
        size //= 2
    return verbs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbs", type=int, default=10_000, help="how many verbs are tried")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first sequence")
    parser.add_argument("--longest", type=int, default=25, help="verbs in a sequence, at most")
    parser.add_argument("--failures", type=int, default=3, help="end after so many failing sequences")
    parser.add_argument("--every", type=int, default=8, help="one in so many verbs, drawn by chance, is looked at closely")
    options = parser.parse_args()
    count, seed, failed, told, started = 0, options.seed, 0, 0, time.monotonic()
    while count < options.verbs and failed < options.failures:
        start, verbs = drawn(seed, options.longest)
        error = failure(start, verbs, options.every)
        count += len(verbs)
        if error is not None:
            failed += 1
            every = 1 if failure(start, verbs, 1) is not None else options.every
            fewest = shortened(start, verbs, every)
            print(f"seed {seed}, start {start!r}, verbs {fewest!r}", flush=True)
            traceback.print_exception(failure(start, fewest, every) or error, limit=-6)
        seed += 1
        if count // 10_000 > told:
            told = count // 10_000
            print(
                f"{count} verbs, {seed - options.seed} sequences, {failed} failed, {time.monotonic() - started:.0f} s", flush=True
            )
    print(f"{count} verbs in {seed - options.seed} sequences, seeds {options.seed} to {seed - 1}: {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
