"""Loads a model's folder with the runtime that its layout needs."""

from __future__ import annotations

from pathlib import Path

from perception.local_model.genai_folder import is_genai_folder
from perception.local_model.genai_model import GenaiModel
from perception.local_model.local_model import LocalModel
from perception.local_model.local_reply import PictureModel
from perception.ocr.onnx_models import Device


def open_model(path: Path, device: Device = "auto") -> PictureModel:
    """Load with onnxruntime-genai if there is a genai_config.json, else as a Hugging Face export. Raises `ModelUnusable` with the
    faulty file, `MissingPackage` if an extra is not installed."""
    return GenaiModel.load(path, device) if is_genai_folder(path) else LocalModel.load(path, device)
