"""The composition root: the one folder that knows every room and puts the box together."""
