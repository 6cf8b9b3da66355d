"""The pages: the frame, its screens and dialogs, statistics, the workshop, joining."""
