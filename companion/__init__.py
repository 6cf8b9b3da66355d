"""The game: dice, bids, rulesets, judging, the journal, the table and the command line."""
