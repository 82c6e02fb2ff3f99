"""What the requests of a run are called: job, number of the task in it, and how often it came back. WL-2, WL-3."""

from __future__ import annotations


def ask_key(job: str, number: int, *, restart: int = 0, placeholder: bool = False) -> str:
    """The key of one attempt, unique in a run whatever jobs are called.

    >>> ask_key("etl", 3), ask_key("etl", 3, restart=2), ask_key("etl", 0, placeholder=True)
    ('etl:3', 'etl:3~2', 'etl:p0')
    """
    again = f"~{restart}" if restart else ""
    return f"{job}:{'p' if placeholder else ''}{number}{again}"
