"""The incremental search: the decisions of `descent`, without sorting and asking everybody in every cycle.

Orders are kept and repaired where a record was touched (`ranking`, `ask_book`), the best node of a request shape is kept
(`fit_table`), and who is known to have no answer is not asked again until something it waits for has changed (`rest`).
Everything here is derived: it can be thrown away at any time, and nothing of it is journaled.
"""

from workbench.scheduler.search.search import Search

__all__ = ["Search"]
