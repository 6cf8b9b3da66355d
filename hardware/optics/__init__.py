"""What a picture says of camera, lens and light: pure functions of pixels and sizes."""
