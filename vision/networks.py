"""The trained networks, run by OpenCV's own dnn module."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MODELS = Path(__file__).parent / "models"


class Network:
    """One network. Not for two threads at once: OpenCV keeps its buffers in it."""

    def __init__(self, name: str) -> None:
        model = np.frombuffer((MODELS / f"{name}.onnx").read_bytes(), np.uint8)
        # OpenCV 5's new engine takes 1.3 times as long for the body network.
        self._net = cv2.dnn.readNetFromONNX(model, cv2.dnn.ENGINE_CLASSIC)

    def __call__(self, batch: Floats) -> Floats:
        """``(n, 1, height, width)`` to the network's answers."""
        self._net.setInput(batch)
        return np.asarray(self._net.forward(), np.float32)


def softmax(logits: Floats) -> Floats:
    """Probabilities along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float32)
