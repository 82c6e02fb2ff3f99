"""Why a candidate was passed over: one class for each code of chapter 09, with what was compared, in modules by family.

No sentences: amounts and names become words in `explain.refusals`, and the changes that would help are tried in
`simulation.remedies`, both in modules of the same names. A new refusal is a class here, a sentence there, and, if a change
can help, a proposal; tests find what is missing.
"""
