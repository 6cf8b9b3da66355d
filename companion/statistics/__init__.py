"""Statistics of kept games: pure sums over one game, an evening, the years, and the dice themselves."""
