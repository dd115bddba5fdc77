"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings
from platformdirs import user_cache_path

# The machines are shared: how long an example takes says nothing of the code.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

# As the command line has it: Playwright's driver is started some two hundred times.
os.environ.setdefault("NODE_COMPILE_CACHE", str(user_cache_path("walker", appauthor=False) / "node"))
