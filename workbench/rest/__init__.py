"""What the scheduler's web service answers, as values: no web framework, no socket, no clock of its own (chapter 11).

`answer(source, method, path, body, headers)` gives the whole answer to one request; who listens on a port only writes it out.
"""

from workbench.rest.answer import Answer
from workbench.rest.answers import answer
from workbench.rest.source import Source

__all__ = ["Answer", "Source", "answer"]
