from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from importlib import resources

import pytest
import yaml

import walker
from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import PACKAGES, ROOT, imported, modules
from traces.viewer.page_files import module_names, page_names
from walker.doctor.installation import foreign_owners, installed_distributions, package_folders

HOST = re.compile(r"https?://|--(?:extra-)?index-url|--find-links|file:", re.IGNORECASE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {normal(name): pin for name, _, pin in (line.partition("==") for line in lines if line and line[0] != "#")}


@pytest.mark.parametrize(
    "file",
    [
        "constraints.txt",
        "tests/fixtures/s3-server.txt",
        "pyproject.toml",
        "scripts/setup",
        "Makefile",
        ".ci/run",
        ".pre-commit-config.yaml",
        "package.json",
        ".npmrc",
        "scripts/check_javascript",
    ],
)
def test_no_package_index_is_named(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    text = re.sub(r"ROOT=https://\S*", "", text)
    assert HOST.findall(text) == []


def test_every_dependency_is_pinned() -> None:
    named = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["dev"]
    names = {normal(re.split(r"[<>=!~;\[ ]", entry)[0]) for entry in named}
    assert names - set(pins()) == set()
    assert all(re.fullmatch(r"\d[\w.+]*", pin) for pin in pins().values())


def test_the_installed_versions_are_the_pinned_ones() -> None:
    installed = {entry.name: entry.version for entry in installed_distributions()}
    differing = {name: (installed[name], pin) for name, pin in pins().items() if installed.get(name, pin) != pin}
    assert differing == {}


def test_the_five_names_are_ours_alone() -> None:
    folders = package_folders()
    assert set(folders) == set(PACKAGES)
    assert {folder.parent for folder in folders.values() if folder} == {ROOT}
    assert None not in folders.values()
    assert foreign_owners(installed_distributions()) == ()


@reads_trees
def test_how_the_icon_reader_is_trained_is_not_shipped() -> None:
    """It wants torch and packages of npm, which no extra installs."""
    named = {name.partition(".")[0] for module in modules() for name, _ in imported(module)}
    assert {"onnxruntime", "tokenizers"} <= named
    assert named & {"torch", "onnx", "tools"} == set()
    shipped = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    assert not any(fnmatch("tools", pattern) or fnmatch("tools.icon_training", pattern) for pattern in shipped)


def test_the_demo_site_ships_with_the_package() -> None:
    wanted = PROJECT["tool"]["setuptools"]["package-data"]["walker.demo"]
    assert "institute/**/*" in wanted
    assert (resources.files("walker.demo") / "institute" / "index.html").is_file()


def test_what_the_report_is_drawn_with_is_installed_by_a_set_up() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    named = {
        normal(re.split(r"[<>=!~;\[ ]", entry)[0])
        for name in ("ocr", "local", "report", "otel", "files", "duckdb", "postgres", "s3", "code")
        for entry in extras[name]
    }
    assert named - set(pins()) == set()
    for script in ("scripts/setup", "scripts/lock"):
        (installed,) = re.findall(r"'\.\[(dev[^]]*)\]'", (ROOT / script).read_text(encoding="utf-8"))
        assert {"dev", "ocr", "local", "report", "export", "otel", "code"} <= set(installed.split(","))
        assert {"files", "duckdb", "postgres", "s3"} <= set(installed.split(","))


def test_the_evaluation_is_a_plugin_of_the_command_line() -> None:
    assert PROJECT["project"]["entry-points"]["walker.commands"] == {"eval": "evaluation.cli:eval_group"}
    assert "*.html" in PROJECT["tool"]["setuptools"]["package-data"]["evaluation.report"]


def test_the_page_of_the_viewer_ships_with_the_package() -> None:
    assert PROJECT["tool"]["setuptools"]["package-data"]["traces.viewer"] == ["page/**/*"]
    page = resources.files("traces.viewer") / "page"
    assert all((page / name).is_file() for name in (*page_names(), *module_names()))
    assert {"index.html", "main.js"} <= set(page_names())
    assert "run/run_page.js" in module_names()


def test_the_commands_of_the_readme_exist() -> None:
    readme, makefile = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "Makefile"))
    commands = set(re.findall(r"\bmake (\w+)", readme))
    assert {"demo", "test"} <= commands
    assert commands <= set(re.findall(r"^(\w+):", makefile, re.MULTILINE))
    assert re.search(r"^check: static test\b", makefile, re.MULTILINE)
    assert re.search(r"^(?:exec )?make check\b", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_file_of_the_packages_ships() -> None:
    """What `make package` sees in the wheel itself, in a moment."""
    tracked = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    data = [name for name in tracked if not name.endswith((".py", ".d.ts"))]
    assert len(data) > 100
    patterns = PROJECT["tool"]["setuptools"]["package-data"]
    named = [
        f"{folder.replace('.', '/')}/{pattern}".replace("**/", "*")
        for folder, several in patterns.items()
        for pattern in several
    ]
    assert [name for name in data if not any(fnmatch(name, one) or fnmatch(name, f"*/{one}") for one in named)] == []


def test_the_hooks_are_ours_alone() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repo["repo"] for repo in hooks["repos"]] == ["local"]
    programs = [word for hook in hooks["repos"][0]["hooks"] for word in hook["entry"].split() if "/" in word]
    assert {"scripts/check_commits.py"} <= set(programs)
    tools = {normal(program.partition("bin/")[2]) for program in programs if program.startswith(".venv/bin/")}
    assert tools - {"python"} <= set(pins())
    assert [one for one in programs if not one.startswith(".venv/") and not (ROOT / one).is_file()] == []


def test_the_changelog_has_a_section_for_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(PROJECT['project']['version'])}\b", changelog, re.MULTILINE)


def test_the_public_names() -> None:
    """Who uses Walker leans on these: one that goes or comes is a line in the changelog."""
    values = [
        "Acted",
        "ActionTarget",
        "BudgetSpent",
        "Components",
        "CrawlReport",
        "CrawlSpec",
        "Divergence",
        "FieldValue",
        "Limits",
        "LoginNeeded",
        "ModelSettings",
        "NoSuchTarget",
        "NotAllowed",
        "NotAnswered",
        "OutOfBudget",
        "Outcome",
        "PageNotOpened",
        "RecordValue",
        "Secret",
        "Session",
        "SessionSync",
        "Settings",
        "SiteBlocked",
        "TypedOutcome",
        "VisionSettings",
        "WalkBegan",
        "WalkConcluded",
        "WalkEvent",
        "WalkWidget",
    ]
    functions = ["ask", "ask_many", "ask_sync", "crawl", "crawl_sync", "diff_runs", "open_run", "stream", "stream_sync"]
    assert walker.__all__ == [*values, "Walker", "WalkerError", *functions]
    assert all(hasattr(walker, name) for name in walker.__all__)


def test_the_classes_that_the_page_on_python_names_can_be_imported() -> None:
    told = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([A-Z][A-Za-z]+)s?`", told) if not name.isupper()}
    assert len(named) > 5
    assert {name for name in named if not hasattr(walker, name)} == set()


def test_what_the_readme_points_to_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:walker|memory|perception|traces|evaluation)/[\w/]+\.py)`", readme)
    assert "walker/walk/loop.py" in paths
    assert [path for path in paths if not (ROOT / path).is_file()] == []


@reads_trees
def test_source_names_no_path_of_a_machine() -> None:
    pattern = re.compile(r"(?<![\w.])/(?:work|tmp|home|root|opt)/\w")
    found = [
        f"{module.name}: {line.strip()}"
        for module in modules()
        for line in module.text.splitlines()
        if pattern.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "script",
    [
        "scripts/setup",
        "scripts/lock",
        "scripts/eval",
        "scripts/draw-ferry-board",
        "scripts/matrix",
        "scripts/release",
        "scripts/check_javascript",
        ".ci/run",
    ],
)
def test_scripts_can_be_run(script: str) -> None:
    path = ROOT / script
    assert path.stat().st_mode & 0o111
    shell = "bash" if path.read_text(encoding="utf-8").startswith("#!/bin/bash") else "sh"
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", str(path)], check=False).returncode == 0
