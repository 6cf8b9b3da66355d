"""Pictures read in a process of their own, and what was learnt of these dice."""
