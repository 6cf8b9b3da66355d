"""The pins: header, wiring, its table, and the pin factory that drives them."""
