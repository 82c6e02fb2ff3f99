"""The checks, in modules by theme: what can be said of a design, each with its numbers and its sentence, and who looks for it.

`table` holds them all. Chapter 09, section 6.
"""
