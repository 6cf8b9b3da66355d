"""A table without people or dice: its players, simulated dice, and a game that plays itself."""
