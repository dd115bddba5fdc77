from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.source_tree import PACKAGES, ROOT

CHECK = (ROOT / "scripts" / "check_javascript").read_text(encoding="utf-8")
STYLE = (ROOT / "eslint.config.mjs").read_text(encoding="utf-8")
TOOLS = ROOT / "node_modules" / ".bin"
CODE = (*PACKAGES, "bench", "scripts", "tests")


def typed_folders() -> list[str]:
    """Folders whose JavaScript is read for types, as they are written in `tsconfig.json`, which has comments."""
    text = (ROOT / "tsconfig.json").read_text(encoding="utf-8")
    (included,) = re.findall(r'"include": (\[.*?\])', text)
    patterns: list[str] = json.loads(included)
    assert all(pattern.endswith("/**/*") for pattern in patterns)
    return [pattern.removesuffix("/**/*") for pattern in patterns]


def test_every_script_is_read_for_types_style_and_format() -> None:
    folders = typed_folders()
    scripts = [path.relative_to(ROOT) for name in CODE for path in (ROOT / name).rglob("*.[cm]js")]
    scripts += [path.relative_to(ROOT) for name in CODE for path in (ROOT / name).rglob("*.js")]
    # Environments of other crawlers, which their bench makes there.
    scripts = [path for path in scripts if not path.is_relative_to("bench/out")]
    assert [str(path) for path in scripts if not any(path.is_relative_to(folder) for folder in folders)] == []
    assert scripts
    for folder in folders:
        assert f'"{folder}/**/*.js"' in STYLE
        for tool in ("prettier", "eslint"):
            (line,) = re.findall(rf"^node_modules/.bin/{tool} .*", CHECK, re.MULTILINE)
            assert folder in line.split()


def test_the_tools_have_exact_versions() -> None:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert package["private"]
    assert "dependencies" not in package
    assert {"typescript", "eslint", "prettier"} <= set(package["devDependencies"])
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["devDependencies"].values())
    assert not (ROOT / "package-lock.json").exists()


def test_no_script_turns_a_whole_check_off() -> None:
    """One line may, with a reason: `eslint-disable-next-line rule -- reason`."""
    blanket = re.compile(r"@ts-nocheck|@ts-ignore|/\* *eslint-disable|eslint-disable-(?:next-)?line(?! [\w-]+ -- \w)")
    scripts = [path for folder in typed_folders() for path in (ROOT / folder).rglob("*.js")]
    assert [str(path) for path in scripts if blanket.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("folder", typed_folders())
@pytest.mark.skipif(not (TOOLS / "eslint").exists(), reason="the tools of package.json are not installed")
def test_a_fault_is_found(folder: str) -> None:
    long = "".join(f"  window.name = '{line}';\n" for line in range(61))
    faulty = f"(() => {{\n  const long = () => {{\n{long}  }};\n  long(eval('1'));\n}})();\n"
    command = [str(TOOLS / "eslint"), "--stdin", "--stdin-filename", f"{folder}/written_for_this_test.js"]
    done = subprocess.run(command, input=faulty, text=True, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert "max-lines-per-function" in done.stdout
    assert "no-eval" in done.stdout


def test_where_there_is_no_node_the_check_says_so(tmp_path: Path) -> None:
    dirname = shutil.which("dirname")
    assert dirname
    (tmp_path / "dirname").symlink_to(dirname)
    environment = {**os.environ, "PATH": str(tmp_path)}
    script = ROOT / "scripts" / "check_javascript"
    done = subprocess.run([script], env=environment, text=True, capture_output=True, check=False)
    assert done.returncode == 0
    assert "not checked" in done.stderr
    assert len(done.stderr.splitlines()) == 1
