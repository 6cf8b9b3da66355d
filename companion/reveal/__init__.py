"""From observations of the table to a tally that can be judged: merging, doubt, questions, evidence."""
