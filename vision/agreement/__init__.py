"""How nets and count become one reading: `places`, then `trust` weighs, then `agree`; all in `ways`."""
