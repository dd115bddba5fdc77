"""Where the models of built-in vision come from: of this process, or of another that lends them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol

from memory.retrieval import embed_texts
from perception.icons.icon_reader import IconReader
from perception.ocr.ocr import TextReader
from walker.seams.protocols import ChatModel
from walker.settings import Settings
from walker.vision.builtin_vision import IconNamer
from walker.vision.text_readers import make_text_reader


class ModelSource(Protocol):
    """Opens models when they are needed first. The first two raise `PerceptionError` where there is none to be had."""

    def text_reader(self) -> TextReader:
        """The OCR engine of the settings."""

    def icon_namer(self) -> IconNamer:
        """What names icons, and finds those that words mean."""

    def picture_chat(self, folder: str) -> ChatModel:
        """The vision model in a folder; one that cannot be used fails its calls."""


class OwnModels:
    """Models of this process, as settings name them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def text_reader(self) -> TextReader:
        """Loaded within 0.6 s."""
        return make_text_reader(self._settings.ocr)

    def icon_namer(self) -> IconNamer:
        """Loaded within 0.1 s."""
        return IconReader.load(embed_texts)

    def picture_chat(self, folder: str) -> ChatModel:
        """Loaded with its first call."""
        # The templates and tokens of models on this machine: most walks ask an endpoint, or no model.
        local = importlib.import_module("walker.models.local_chat")
        chat: ChatModel = local.LocalChat(Path(folder))
        return chat
