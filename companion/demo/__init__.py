"""A table without people or dice: bots, simulated dice, and a game that plays itself."""
