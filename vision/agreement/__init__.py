"""How both ways become one reading: `pairing`, then `trust` weighs, then `agree`; all in `both`."""
