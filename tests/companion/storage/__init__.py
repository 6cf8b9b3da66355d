"""The journal on disks that lose power, fill up and rot."""
