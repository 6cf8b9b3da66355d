"""The pins: header, wiring, its table and drawing, and the pin factory that drives them."""
