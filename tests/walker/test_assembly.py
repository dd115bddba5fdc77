"""What several walks of one process share."""

from __future__ import annotations

import msgspec

from walker.assembly import WalkResources
from walker.settings import Components, ModelSettings, Settings, VisionSettings


async def test_walks_with_other_modules_or_another_gate_share_browser_and_models() -> None:
    model, vision = (
        ModelSettings(name="m", base_url="http://127.0.0.1:9/v1"),
        VisionSettings(name="v", base_url="http://127.0.0.1:8/v1"),
    )
    async with WalkResources(Settings(record=False, model=model, vision=vision)) as resources:
        other = msgspec.structs.replace(resources.settings, components=Components(vision=False), gate="paper")
        sibling = resources.with_settings(other)
        assert sibling.settings == other
        assert (resources.settings.components, resources.settings.gate) == (Components(), "walker")
        assert sibling.chromium is resources.chromium
        assert sibling.ranker is resources.ranker
        assert sibling.builtin_vision is resources.builtin_vision
        assert sibling.endpoint is resources.endpoint
        assert sibling.vision_endpoint is resources.vision_endpoint
