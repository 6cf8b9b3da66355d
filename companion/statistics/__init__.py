"""What kept games tell: pure sums over one game, an evening, the years, and the dice themselves."""
