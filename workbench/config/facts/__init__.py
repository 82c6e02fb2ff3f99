"""A valid configuration as it will be in force: what each queue has once it is loaded, where rules lead, which line says so."""

from workbench.config.facts.design import Design, Place, QueueFacts, designs, texts_with

__all__ = ["Design", "Place", "QueueFacts", "designs", "texts_with"]
