"""Cameras: the Pi's, a USB one, a folder of pictures, the simulated table."""

from hardware.cameras.choose import Choice, Machine, choose, open_camera, this_machine

__all__ = ["Choice", "Machine", "choose", "open_camera", "this_machine"]
