"""Finds faults of this machine as a box, and lets a person try out every part."""
