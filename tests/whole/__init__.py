"""Whole games: browser, pins, camera, reader, rules and journal together."""
