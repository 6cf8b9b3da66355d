"""Storage on the card, and what is done when the card fails: no game, no rules."""
