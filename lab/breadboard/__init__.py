"""The wiring of a box on a breadboard, drawn as its settings say."""
