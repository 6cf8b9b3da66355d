"""What is fitted or measured for `vision/models/fits.toml`."""
