"""Torture of the box: what is tried, how often, and what came of it (`make soak`)."""
