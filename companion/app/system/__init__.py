"""The machine below: its parts, its condition, its log, its service."""
