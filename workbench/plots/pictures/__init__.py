"""One module for each picture, named as its function in `workbench.plots` and its tab: `rows` of a state, `figure` of rows.

The rows of a long one stand in `NAME_rows`, its sentences in `NAME_texts`; what pictures share is in `workbench.plots`.
"""
