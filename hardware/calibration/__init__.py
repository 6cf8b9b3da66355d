"""The steps of a calibration, what it advises, and the file that keeps what it found."""
