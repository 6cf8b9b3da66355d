"""From a picture to dice. Knows numpy and OpenCV, knows nothing of the game.

`picture` prepares it. The nets of `learned` detect dice and name their faces, and `counting` counts the pips
of each without asking them. `agreement` brings together what both say, and `checks` doubts it. `read` goes
through all stages (docs/explanation/reading.md draws them).
"""
