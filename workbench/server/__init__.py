"""The workbench as a server: what YuniKorn's REST interface answers, over HTTP, and steps, inputs and reasons beside it.

It is a second front end to a `Workbench`, like the screen: every change is a verb of the bench, and what is read is read between
two verbs. What the documents say is decided in `workbench.rest`; here is how they travel.
"""
