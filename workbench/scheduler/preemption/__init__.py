"""Preemption: who may take what from whom, and when. Chapter 08.

`general` decides for an ask below its queue's guaranteed, `required_node` for one bound to a node, `quota` for a queue whose
maximum was lowered. Each decides without writing; `effects` marks the victims and announces them.
"""
