"""How both ways become one reading: `noticed` by either, weighed in `trust`, then `agree`; all in `both`."""
