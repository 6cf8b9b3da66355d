"""Calibrating, teaching and trying out the box, from its page."""
