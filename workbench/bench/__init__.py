"""The workbench as an object, without a screen: a design, its inputs, the verbs that act on them, and what they answer."""
