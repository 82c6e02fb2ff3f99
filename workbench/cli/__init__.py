"""The command `workbench`: one module for each subcommand, and `entry`, the frame around all of them.

This file imports nothing, so that Ctrl-C ends the command without a traceback from the very first moment: `program` looks after
the interrupt before it loads the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

__all__ = ["main", "program"]

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code; argparse's own SystemExit passes through."""
    from workbench.cli.entry import main as command

    return command(argv)


def program() -> int:
    """The command as a process of its own: `main`, and silence if it is interrupted outside of it. Returns the exit code."""
    try:
        import os
        import signal
        import sys

        def leave(*_: object) -> None:
            os._exit(INTERRUPTED)

        def interrupted(number: int, frame: FrameType | None) -> None:
            # Nothing is begun while modules are loaded, and nothing is left to do after the command: no need to unwind.
            leave()

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupted)
        complain = sys.unraisablehook

        def unraisable(told: sys.UnraisableHookArgs) -> None:
            # Where Python cannot pass an exception on, as in the callback of a weak reference, it would swallow Ctrl-C.
            leave() if isinstance(told.exc_value, KeyboardInterrupt) else complain(told)

        sys.unraisablehook = unraisable
        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
