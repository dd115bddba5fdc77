"""The one table of documented commands that the test of them does not run, and why; for each, who does."""

from __future__ import annotations

NOT_RUN: dict[str, str] = {
    r"--on ray://": "wants a Ray cluster of several nodes: `make fleet` runs batches, experiments and crawls on one",
    r"--vision-folder ~/models": "wants the weights of a vision model: tests/perception/local_model makes a small one and asks it",
    r"--code pyodide:FOLDER": "wants an unpacked Pyodide: tests/contracts/test_code_runner.py runs one where npm has put it",
    r"--browser headed|^walker login \S+ --save \w+$": "wants a window and a person at it:"
    " tests/walker/handover and tests/walker/logins act for the person, under a virtual display",
    r"--cdp ": "wants a Chromium that runs already: tests/walker/handover/test_running_chromium.py starts one",
    r"^pip install": "wants a registry: `make package` installs the wheel with all it needs into an empty environment",
    r"^claude ": "another program: tests/walker/mcp starts `walker mcp` as it would, with the client of the SDK",
    r"^make (?:setup|demo|test|check|quick|matrix|fleet|commands|bench|eval)$": "made by .ci/run, or takes hours (bench, fleet, eval)",
    r"^python bench/": "measures for minutes or hours on sites that are fetched: `make bench`, and the figures of each note",
    r"^walker calibrate pages": "wants 30 labelled pages, each read with and without OCR: tests/walker/cli/test_calibrate_command.py",
    r"museum --pictures": "takes some minutes: tests/evaluation/building builds from the bundled museum",
    r"--pictures --out pictures|to-vqa": "the same: tests/evaluation/building/picture_set",
    r"--counts paper": "680 questions of several sites take an hour: bench/everwebqa.py",
    r"--samples 8": "eight samples of all variants: tests/evaluation/experiment runs two",
    r"--by-pass 8|^walker eval rewards|--vetted --hard-only|--to grpo": "reads several graded samples of a question:"
    " tests/evaluation/experiment/test_many_samples.py and tests/evaluation/cli/test_training_commands.py make them",
    r"--resume s3://": "wants a walk that was killed while it wrote to a store: tests/walker/cli/test_runs_in_a_store.py",
    r"_WALKER_COMPLETE=fish_source": "wants fish; the line for bash is run",
}
"""Patterns of commands, and the reason."""
