"""How modules become one expression that a browser evaluates."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.scripts.page_functions import call_of, init_script, page_function, page_modules


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of its own for each test."""
    package = tmp_path / f"scripts_of_{tmp_path.name}"
    package.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


def test_a_function_brings_what_it_imports_each_module_once_and_no_name_of_another(written: Path) -> None:
    (written / "parts").mkdir()
    (written / "start.js").write_text(
        'import { double } from "./parts/double.js";\n'
        'import {\n  add,\n  seen,\n} from "./parts/add.js";\n\n'
        "const own = 1;\n\nexport function count(much) {\n  return add(double(much), own) + seen.length;\n}\n"
    )
    (written / "parts" / "double.js").write_text(
        'import { add } from "./add.js";\n\nconst own = 2;\n\n'
        "export function double(much) {\n  return add(much, much) * (own / 2);\n}\n"
    )
    (written / "parts" / "add.js").write_text(
        "export const seen = [];\n\nexport async function later() {}\n\n"
        "export function add(one, other) {\n  seen.push(one);\n  return one + other;\n}\n"
    )
    function = page_function("start.js", "count", package=written.name)
    assert function.count("seen.push") == 1
    assert "import " not in function
    assert "export " not in function
    assert page_modules(written.name).exported_names("parts/add.js") == ("seen", "later", "add")


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"a.js": "export function b() {}\n"}, "a.js exports no a"),
        ({"a.js": 'import { b } from "./b.js";\nexport function a() {}\n'}, "b.js"),
        (
            {
                "a.js": 'import { b } from "./b.js";\nexport function a() {}\n',
                "b.js": 'import { a } from "./a.js";\nexport function b() {}\n',
            },
            "a.js -> b.js -> a.js",
        ),
    ],
)
def test_what_cannot_be_put_together_is_refused(written: Path, modules: dict[str, str], message: str) -> None:
    for name, text in modules.items():
        (written / name).write_text(text)
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        page_function("a.js", "a", package=written.name)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.asyncio(loop_scope="session")
async def test_a_page_evaluates_it_with_its_argument_and_anew_each_time(chromium: Chromium, written: Path) -> None:
    (written / "kept.js").write_text(
        "const kept = [];\n\nexport function keep(given) {\n  kept.push(given);\n"
        "  globalThis.all = (globalThis.all ?? []).concat(kept);\n"
        "  return [kept.length, this === undefined];\n}\n\nexport async function wait() {\n  return globalThis.all;\n}\n"
    )
    context = await chromium.new_context(ContextOptions())
    keep = page_function("kept.js", "keep", package=written.name)
    wait = page_function("kept.js", "wait", package=written.name)
    await context.add_init_script(init_script(keep, {"first": "</script>"}) + init_script(keep, ["second"]))
    page = await context.new_page()
    assert await page.evaluate(keep, "third") == [1, True], "a module's state is that of one evaluation"
    assert await page.evaluate(call_of(wait)) == [{"first": "</script>"}, ["second"], "third"]
    await context.close()


def test_the_scripts_ship_with_the_package() -> None:
    folder = resources.files("walker.browser.scripts")
    assert (folder / "element_map" / "map_elements.js").is_file()
