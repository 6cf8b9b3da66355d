"""From a picture to dice. Knows numpy and OpenCV, knows nothing of the game.

`picture` prepares it, `counting` and `learned` read it, each in its own way and without the other,
`agreement` brings together what they say, and `read` gives the reading.
"""
