"""Cameras: the Pi's, a USB one, a folder of pictures, the simulated table."""
