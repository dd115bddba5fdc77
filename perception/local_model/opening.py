"""A model's folder, opened as the kind that it is."""

from __future__ import annotations

from pathlib import Path

from perception.local_model.genai_folder import is_genai_folder
from perception.local_model.genai_model import GenaiModel
from perception.local_model.local_model import LocalModel
from perception.local_model.local_reply import PictureModel
from perception.ocr.onnx_models import Device


def open_model(path: Path, device: Device = "auto") -> PictureModel:
    """onnxruntime-genai where genai_config.json lies, else the layout of Hugging Face's exports. Raises `ModelUnusable` with the
    file that is wrong, `MissingPackage` for an extra that is not there."""
    return GenaiModel.load(path, device) if is_genai_folder(path) else LocalModel.load(path, device)
