"""Measures camera, lens and light by a picture: pure functions of pixels and sizes."""
