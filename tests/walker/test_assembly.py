"""What several walks of one process share."""

from __future__ import annotations

from walker.assembly import Workshop
from walker.settings import Components, ModelSettings, Settings, VisionSettings


async def test_walks_with_other_modules_share_browser_and_models() -> None:
    model, vision = (
        ModelSettings(name="m", base_url="http://127.0.0.1:9/v1"),
        VisionSettings(name="v", base_url="http://127.0.0.1:8/v1"),
    )
    async with Workshop(Settings(record=False, model=model, vision=vision)) as workshop:
        sibling = workshop.with_components(Components(vision=False))
        assert sibling.settings.components == Components(vision=False)
        assert workshop.settings.components == Components()
        assert sibling.chromium is workshop.chromium
        assert sibling.ranker is workshop.ranker
        assert sibling.eye is workshop.eye
        assert sibling.endpoint is workshop.endpoint
        assert sibling.vision_endpoint is workshop.vision_endpoint
