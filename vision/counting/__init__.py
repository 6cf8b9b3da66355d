"""The first way of reading: counting pips with OpenCV, explainable down to each circle.

`candidates` (spots), `pips`, `faces` (layouts of 1 to 6), `body`, `dice` (each once), then `doubt`; the other
modules are what one of these asks.
"""
