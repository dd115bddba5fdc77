"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

from walker.cli.commands import keep_driver_compiled

# The machines are shared: how long an example takes says nothing of the code.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

# As the command line has it: Playwright's driver is started some two hundred times.
keep_driver_compiled()
