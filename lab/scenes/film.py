"""What the sensor and its software do to the light of a scene."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.scenes.values import Film, FloatArray

_STEPS = 65535
_SHOULDER, _ROOM = 0.58, 0.42  # linear light from which bright parts are held back, and what is left to white
_BRIGHTEST = 3.0  # linear light above this is white whatever the curve
_GREYISH = np.full((3, 3), 0.45, np.float32) + np.eye(3, dtype=np.float32) * np.float32(0.22)


def develop(light: FloatArray, film: Film, seed: int, zoom: float) -> NDArray[np.uint8]:
    """The picture (height, width, 3) in bytes, order blue, green, red, of linear light in the order red,
    green, blue. `zoom` is the picture's width over the width for which the film's lengths are given."""
    rng = np.random.default_rng((seed, 11))
    light = _blurred(light, film, zoom)
    light = _fringed(light, film.fringe) * (_gain(light) * film.exposure * 0.88)
    light *= np.asarray(film.balance, np.float32)
    if film.vignette or film.hole:
        light *= _falloff(light.shape[:2], film)[..., None]
    light = _coarse(light, film.coarse)
    light = _noisy(_coloured(light, film), film, rng)
    steps = np.clip(light * np.float32(_STEPS / _BRIGHTEST), 0, _STEPS).astype(np.uint16)
    return _software(cv2.cvtColor(_curve(film)[steps], cv2.COLOR_RGB2BGR), film)


def _blurred(light: FloatArray, film: Film, zoom: float) -> FloatArray:
    sigma = film.soften * zoom
    if sigma > 1.6:  # an open lens blurs by its aperture's disc, not by a bell
        light = np.asarray(cv2.filter2D(light, -1, _disc(sigma * 2)), np.float32)
    elif sigma > 0.25:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    length = film.motion[0] * zoom
    if length > 1:
        light = np.asarray(cv2.filter2D(light, -1, _streak(length, film.motion[1])), np.float32)
    return light


def _fringed(light: FloatArray, fringe: float) -> FloatArray:
    """Red drawn a little larger and blue a little smaller about the middle: lateral chromatic aberration."""
    if not fringe:
        return light
    h, w = light.shape[:2]
    planes = list(cv2.split(light))
    for k, scale in ((0, 1 + fringe), (2, 1 - fringe)):
        move = np.array([[scale, 0, (1 - scale) * w / 2], [0, scale, (1 - scale) * h / 2]])
        planes[k] = cv2.warpAffine(planes[k], move, (w, h), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.merge(planes), np.float32)


def _disc(radius: float) -> FloatArray:
    size = int(np.ceil(radius)) * 2 + 1
    y, x = np.mgrid[:size, :size] - size // 2
    kernel = np.clip(radius + 0.5 - np.sqrt(x * x + y * y), 0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _streak(length: float, angle_deg: float) -> FloatArray:
    size = int(np.ceil(length)) | 1
    kernel = np.zeros((size + 2, size + 2), np.float32)
    c = (size + 1) / 2
    dx, dy = np.cos(np.radians(angle_deg)) * length / 2, np.sin(np.radians(angle_deg)) * length / 2
    ends = [(round((c - dx) * 16), round((c - dy) * 16)), (round((c + dx) * 16), round((c + dy) * 16))]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _gain(light: FloatArray) -> float:
    """How a camera's meter sees it: between keeping the bright parts and making the mean a middle grey,
    but with hardly anything burnt out."""
    grey = light[::4, ::4] @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    bright, brightest = (max(float(p), 1e-4) for p in np.percentile(grey, (99, 99.8)))
    mean = max(float(np.minimum(grey, 4 * np.median(grey) + 0.05).mean()), 1e-4)
    return float(min((0.75 / bright) ** 0.75 * (0.20 / mean) ** 0.25, 1.2 / brightest))


def _falloff(shape: tuple[int, ...], film: Film) -> FloatArray:
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    x, y = x - shape[1] / 2, y - shape[0] / 2
    r2 = (x * x + y * y) / (shape[0] ** 2 + shape[1] ** 2) * 4
    fall = 1 / (1 + film.vignette * r2) ** 2
    if film.hole:
        edge = film.hole * min(shape[:2]) / 2
        fall = fall * (0.004 + 0.996 * np.clip((edge - np.sqrt(x * x + y * y)) / (0.02 * edge) + 0.5, 0, 1))
    return np.asarray(fall, np.float32)


def _coarse(light: FloatArray, factor: float) -> FloatArray:
    if factor <= 1.05:
        return light
    h, w = light.shape[:2]
    small = cv2.resize(
        light, (max(8, round(w / factor)), max(8, round(h / factor))), interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)


def _coloured(light: FloatArray, film: Film) -> FloatArray:
    """Saturation as the software sets it; a grey camera has none."""
    keep = 0.0 if film.grey else film.saturation
    if keep == 1.0:
        return light
    weights = np.array([0.2126, 0.7152, 0.0722], np.float32) * np.float32(1 - keep)
    mix = np.tile(weights, (3, 1)) + np.eye(3, dtype=np.float32) * np.float32(keep)
    return np.asarray(np.maximum(cv2.transform(light, mix), 0), np.float32)


def _curve(film: Film) -> NDArray[np.uint8]:
    """Bytes for each step of linear light: contrast about middle grey, a soft shoulder, the sRGB power."""
    light = np.arange(_STEPS + 1) * (_BRIGHTEST / _STEPS)
    light = 0.18 * np.power(light / 0.18, film.contrast)
    light = np.where(light > _SHOULDER, 1 - _ROOM * np.exp((_SHOULDER - light) / _ROOM), light)
    return np.asarray(np.round(255 * np.power(np.clip(light, 0, 1), 1 / 2.2)), np.uint8)


def _noisy(light: FloatArray, film: Film, rng: np.random.Generator) -> FloatArray:
    """Shot and read noise; grey cameras have one channel of it, phones smear it a little."""
    if film.noise <= 0 and film.grain <= 0:
        return light
    shape = light.shape[:2] + ((1,) if film.grey else (3,))
    part = rng.standard_normal(
        (-(-shape[0] // 4), *shape[1:]), dtype=np.float32
    )  # dear: each is used four times
    grain = np.concatenate([part, part[:, ::-1], part[::-1], part[::-1, ::-1]])[: shape[0]]
    if not film.grey:  # the software takes away most noise that is only of colour
        grain = cv2.transform(grain, _GREYISH)
    if film.coarse > 1.3 or film.sharpen > 0.4:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7) * 2.0, np.float32).reshape(shape)
    deviation = np.sqrt(np.maximum(light, 0) * np.float32(film.grain**2) + np.float32(film.noise**2))
    return np.asarray(np.maximum(light + grain * deviation, 0), np.float32)


def _software(picture: NDArray[np.uint8], film: Film) -> NDArray[np.uint8]:
    if film.smear:
        picture = np.asarray(cv2.medianBlur(picture, 3), np.uint8)
    if film.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1 + film.sharpen, soft, -film.sharpen, 0), np.uint8)
    if film.stamp:
        picture = _stamped(picture, film.stamp)
    if film.jpeg:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _stamped(picture: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    """Words and dots laid over the picture as watermarks, dates and logos are."""
    rng = np.random.default_rng(seed)
    over = picture.copy()
    h, w = picture.shape[:2]
    ink = tuple(int(v) for v in rng.choice([0, 255], 3)) if rng.uniform() < 0.3 else (255, 255, 255)
    for _ in range(int(rng.integers(1, 4))):
        word = "".join(rng.choice(list("abcdehilmnorst0123456789:.oO"), int(rng.integers(4, 14))))
        at = (int(rng.uniform(0, 0.8) * w), int(rng.uniform(0.05, 1.0) * h))
        size = float(w / 1280 * rng.uniform(0.6, 3.0))
        cv2.putText(over, word, at, int(rng.integers(0, 5)), size, ink, max(1, round(2 * size)), cv2.LINE_AA)
    share = float(rng.uniform(0.2, 0.9))
    return np.asarray(cv2.addWeighted(over, share, picture, 1 - share, 0), np.uint8)
