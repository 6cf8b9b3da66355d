"""A picture taken to try out the camera, and advice about one, as a page shows them."""

from __future__ import annotations

from hardware.calibration.advice import Advice, on_light
from hardware.optics.focus import quality
from hardware.optics.pixels import Image


def tried(image_bgr: Image) -> dict[str, object]:
    """The light and sharpness of a picture, (height, width, 3) uint8, taken to try out the camera."""
    seen = quality(image_bgr)
    return {
        "width": image_bgr.shape[1],
        "height": image_bgr.shape[0],
        "sharpness": round(seen.sharpness),
        "brightness": round(100 * seen.brightness),
        "glare": round(100 * seen.glare),
        "advice": [plain(one) for one in on_light(seen)],
    }


def plain(advice: Advice) -> dict[str, object]:
    """The advice with its key and values."""
    return {"key": advice.key, "values": dict(advice.values)}
