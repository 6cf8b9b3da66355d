"""The second way of reading: small nets, run by OpenCV, and faces taught by showing."""
