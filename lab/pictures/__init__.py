"""The pictures of dice that the simulated table is laid of."""
