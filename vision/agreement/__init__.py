"""How both ways become one reading: `pairing` of what either found, weighed in `trust`, then `agree`; all in `both`."""
