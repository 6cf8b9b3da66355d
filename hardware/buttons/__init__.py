"""Buttons on pins, our own debouncing, and fingers that press mock pins."""
