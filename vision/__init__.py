"""From a picture to dice. Knows numpy and OpenCV, knows nothing of the game."""
