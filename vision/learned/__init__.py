"""The nets, run by OpenCV: the detector of dice, the crop classifier, and faces taught by showing."""

from pathlib import Path

MODEL = Path(__file__).parents[1] / "models" / "dice.onnx"
