"""What is wrong with this machine as a box, and how a person tries out every part."""
