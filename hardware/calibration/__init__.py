"""What a calibration measures of camera and light, what it advises, and the file that keeps it."""
