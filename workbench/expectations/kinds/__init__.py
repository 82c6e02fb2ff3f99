"""The kinds of expectations, each in a module of its own; importing this registers them."""

from workbench.expectations.kinds import findings, measured, never, order

__all__ = ["findings", "measured", "never", "order"]
