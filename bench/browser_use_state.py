"""Run by bench/tokens.py in an environment of its own: prints, for each address, the page state that browser-use would send to a
model, as a JSON string a line. Reads {"browser": path, "addresses": [...]} from stdin."""

from __future__ import annotations

import asyncio
import json
import os
import sys

os.environ.update(ANONYMIZED_TELEMETRY="false", BROWSER_USE_LOGGING_LEVEL="critical", BROWSER_USE_VERSION_CHECK="false")


async def main() -> None:
    """One browser for all pages."""
    from browser_use.browser import BrowserProfile, BrowserSession  # type: ignore[import-not-found]  # noqa: PLC0415

    given = json.load(sys.stdin)
    profile = BrowserProfile(
        executable_path=given["browser"],
        headless=True,
        chromium_sandbox=False,
        enable_default_extensions=False,
        args=["--disable-background-networking", "--disable-component-update", "--no-first-run"],
    )
    session = BrowserSession(browser_profile=profile)
    await session.start()
    try:
        for address in given["addresses"]:
            await session.navigate_to(address)
            state = await session.get_browser_state_summary(include_screenshot=False)
            sys.stdout.write(json.dumps(state.dom_state.llm_representation()) + "\n")
            sys.stdout.flush()
    finally:
        await session.kill()


if __name__ == "__main__":
    asyncio.run(main())
