"""Full tables as a game leaves them, with their truth: composed of photographs, or rendered by Blender."""
