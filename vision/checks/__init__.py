"""Checks of what was read: one form, one file each; `applied` runs those that are not switched off."""
