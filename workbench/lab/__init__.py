"""JupyterLab with the workbench notebook open: the notebook, the settings and the process that serves them."""
