"""Cameras, buttons, lights and sound, each a small port with a real and a simulated side."""
