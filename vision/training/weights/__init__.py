"""The weights of the formulas that need no net, fitted on labelled pictures."""
