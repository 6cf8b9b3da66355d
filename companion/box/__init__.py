"""The box at work: the wiring of every room around one table."""
