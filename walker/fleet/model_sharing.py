"""Whether the walks of a machine share models, and with what part of its GPU."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import msgspec

from walker.fleet.node_models import NodeModels
from walker.fleet.ray_cluster import RayCluster, WorkerLost
from walker.settings import Settings, VisionSettings

Sharing = Literal["auto", "always", "never"]
MODELS_MEMORY = 1_000_000_000
"""Bytes that the process with the models asks its machine for: OCR and icons take some 400 MB at the peak, Ray's own part 150 MB. A
vision model lies on the GPU, or adds what its files weigh."""


class ModelSharing(msgspec.Struct, frozen=True, kw_only=True):
    """How models are shared."""

    when: Sharing = "auto"
    """`auto`: on machines with a GPU; elsewhere each walk has models of its own, which is faster (docs/design/fleet.md)."""
    gpu: float = 0.25
    """Part of one GPU, 0 to 1, that the process asks for on a machine with a GPU."""

    def shares_on(self, resources: Mapping[str, float]) -> bool:
        """Whether walks of a machine with these resources (Ray's names) share."""
        return self.when == "always" or (self.when == "auto" and resources.get("GPU", 0) > 0)

    def gpu_on(self, resources: Mapping[str, float]) -> float:
        """What the process asks of its GPU, 0 where there is none."""
        return self.gpu if resources.get("GPU", 0) > 0 else 0.0


WHERE_THERE_IS_A_GPU = ModelSharing()


def settings_of_models(settings: Settings) -> Settings:
    """What the models need to know of the settings of walks, and no more."""
    vision = settings.vision
    folder = vision.folder if vision is not None else ""
    return Settings(ocr=settings.ocr, vision=VisionSettings(name="", folder=folder) if folder else None)


class LentModels:
    """One process with models for each machine that has walks, begun with the first of them."""

    def __init__(self, cluster: RayCluster, sharing: ModelSharing, settings: Settings, endpoint: str = "") -> None:
        """`settings` are those of the walks, `endpoint` the address of a collector of spans, "" for none."""
        self._cluster, self._sharing, self._endpoint = cluster, sharing, endpoint
        self._settings = settings_of_models(settings)
        self._processes: dict[str, asyncio.Task[Any | None]] = {}

    async def lend_to(self, worker: Any) -> None:
        """Tell a worker which models it shares, if it does. One that dies meanwhile is told nothing."""
        if self._sharing.when == "never":
            return
        with suppress(WorkerLost):
            node = await self._cluster.call(worker, "machine")
            if node not in self._processes:
                self._processes[node] = asyncio.get_running_loop().create_task(self._begun_on(node))
            models = await asyncio.shield(self._processes[node])
            if models is not None:
                await self._cluster.call(worker, "use_models", models)

    async def send_spans(self) -> None:
        """Let all of them send what they have to tell a collector."""
        for process in self._processes.values():
            has_begun = process.done() and not process.cancelled() and process.exception() is None
            if self._endpoint and has_begun and process.result() is not None:
                with suppress(WorkerLost):
                    await self._cluster.call(process.result(), "send_spans")

    def cancel(self) -> None:
        """Give up what has not begun yet."""
        for process in self._processes.values():
            process.cancel()

    async def _begun_on(self, node: str) -> Any | None:
        resources = self._cluster.resources_of(node)
        if not self._sharing.shares_on(resources):
            return None
        return await self._cluster.beside(
            NodeModels,
            self._settings,
            MODELS_MEMORY,
            self._endpoint,
            node=node,
            memory=MODELS_MEMORY,
            gpu=self._sharing.gpu_on(resources),
        )
