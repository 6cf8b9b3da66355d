"""The nets, run by OpenCV: the detector of dice, the crop classifier, and faces taught by showing."""
