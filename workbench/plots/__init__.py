"""Pictures of the state and of decisions: data first (`rows`), then a plotly figure made of it (`figure`)."""
