"""Measured, not asserted: `make bench` prints what these modules find."""
