"""Run in a process of its own: our PiCamera on picamera2's own code and libcamera's virtual camera.

Prints one JSON object of what it saw.
"""

import json

from hardware.cameras.pi import CameraOptions, PiCamera
from hardware.clock import SystemClock
from hardware.errors import CameraSilent
from tests.hardware.picamera2_real.virtual_camera import SIZE_PX, open_virtual


def impatient(camera: PiCamera) -> str:
    """What a picture that does not come in time is, by picamera2's own waiting and cancelling."""
    try:
        for _ in range(100):  # a picture that waits already comes in no time
            camera.preview(0.0)
    except CameraSilent as error:
        return error.reason
    return "every picture came in no time"


def main() -> None:
    options = CameraOptions(size_px=SIZE_PX)
    camera = PiCamera(SystemClock(), options, open_pi=open_virtual)
    still, preview = camera.capture(), camera.preview()
    seen = {
        "still": still.image_bgr.shape,
        "preview": preview.image_bgr.shape,
        "columns_bgr": still.image_bgr[100, SIZE_PX[0] // 16 :: SIZE_PX[0] // 8].tolist(),
        "frozen": camera.lock_exposure(),
        "lens": camera.lens_range,
        "stills": sum(camera.capture().image_bgr.any() for _ in range(20)),
        "format": camera._camera.camera_configuration()["main"]["format"],
        "metadata": sorted(still.metadata),
    }
    seen["silent"] = impatient(camera)
    seen["after_silence"] = [camera.preview().image_bgr.shape for _ in range(3)]
    camera.close()
    again = PiCamera(SystemClock(), options, open_pi=open_virtual)
    seen["reopened"] = again.capture().image_bgr.shape
    again.close()
    print(json.dumps(seen, default=int))


if __name__ == "__main__":
    main()
