"""Checks of what was read: one form; `applied` runs those that are not switched off."""
