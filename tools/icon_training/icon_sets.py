"""The icon sets: where their drawings, names and tags lie in the npm packages, and what each set is used for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

Use = Literal["train", "validate", "test"]
Tags = dict[str, tuple[str, ...]]


class IconSet(msgspec.Struct, frozen=True, kw_only=True):
    """One npm package. `folders` maps a folder of drawings to the style that it holds."""

    name: str
    package: str
    folders: dict[str, str]
    use: Use = "train"
    style_ending: str = ""
    """Pattern at the end of a file's name that tells a style or size and nothing of what is shown."""
    stroked: bool = False
    """Whether lines are strokes, so that other weights can be drawn from the same file."""


class IconFile(msgspec.Struct, frozen=True, kw_only=True):
    """One drawing; `name` is its file's name without the style, words joined by "-"."""

    icon_set: str
    name: str
    style: str
    path: Path
    use: Use
    stroked: bool


SETS = (
    IconSet(name="lucide", package="lucide-static", folders={"icons": "outline"}, stroked=True),
    IconSet(name="tabler", package="@tabler/icons", folders={"icons/outline": "outline"}, stroked=True),
    IconSet(name="tabler", package="@tabler/icons", folders={"icons/filled": "fill"}),
    IconSet(name="bootstrap", package="bootstrap-icons", folders={"icons": "regular"}, style_ending="-fill$"),
    IconSet(
        name="fontawesome",
        package="@fortawesome/fontawesome-free",
        folders={"svgs/solid": "fill", "svgs/regular": "outline", "svgs/brands": "brand"},
    ),
    IconSet(name="mdi", package="@mdi/svg", folders={"svg": "regular"}, style_ending="-outline$"),
    IconSet(
        name="material-symbols",
        package="@material-symbols/svg-400",
        folders={"outlined": "outlined", "rounded": "rounded"},
        style_ending="-fill$",
    ),
    IconSet(
        name="iconoir", package="iconoir", folders={"icons/regular": "outline", "icons/solid": "fill"}, stroked=True
    ),
    IconSet(name="heroicons", package="heroicons", folders={"24/outline": "outline", "24/solid": "fill"}, stroked=True),
    IconSet(
        name="octicons",
        package="@primer/octicons",
        folders={"build/svg": "regular"},
        style_ending="(-fill)?-(12|16|24|48|96)$",
    ),
    IconSet(
        name="carbon",
        package="@carbon/icons",
        folders={"svg/32": "regular"},
        style_ending="(--filled|--fill|--outline|--alt|--glyph)$",
    ),
    IconSet(
        name="ionicons",
        package="ionicons",
        folders={"dist/svg": "regular"},
        use="validate",
        style_ending="-(outline|sharp)$",
    ),
    *(
        IconSet(
            name="phosphor",
            package="@phosphor-icons/core",
            folders={f"assets/{style}": style},
            use="test",
            style_ending=f"-{style}$",
        )
        for style in ("regular", "bold", "light", "fill", "duotone")
    ),
)
"""What "train" names is learnt from; "validate" chooses the temperature and the threshold; "test" is looked at for figures."""


def icon_files(packages: Path) -> Iterator[IconFile]:
    """Every drawing of every set under a `node_modules` folder, in a fixed order."""
    for icon_set in SETS:
        for folder, style in icon_set.folders.items():
            for path in sorted((packages / icon_set.package / folder).glob("*.svg")):
                stem = re.sub(icon_set.style_ending, "", path.stem) if icon_set.style_ending else path.stem
                yield IconFile(
                    icon_set=icon_set.name,
                    name=joined(stem),
                    style=style,
                    path=path,
                    use=icon_set.use,
                    stroked=icon_set.stroked and style == "outline",
                )


def joined(name: str) -> str:
    """A name in lower case with its words joined by one "-".

    >>> joined("arrow_back--iOS")
    'arrow-back-ios'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def tags_of_sets(packages: Path) -> dict[str, Tags]:
    """Set to icon name to tags, for the sets that give any. Names are as in `IconFile`."""
    return {
        "lucide": _named(_json(packages / "lucide-static/tags.json").items()),
        "tabler": _named(
            (name, [*icon["tags"]]) for name, icon in _json(packages / "@tabler/icons/icons.json").items()
        ),
        "fontawesome": _named(
            (name, [*icon["search"]["terms"], *icon.get("aliases", {}).get("names", []), icon["label"]])
            for name, icon in _json(packages / "@fortawesome/fontawesome-free/metadata/icon-families.json").items()
        ),
        "mdi": _named(
            (re.sub("-outline$", "", icon["name"]), icon["aliases"]) for icon in _json(packages / "@mdi/svg/meta.json")
        ),
        "carbon": _named(
            (re.sub("(--filled|--fill|--outline|--alt|--glyph)$", "", icon["name"]), icon.get("aliases") or [])
            for icon in _json(packages / "@carbon/icons/metadata.json")["icons"]
        ),
        "octicons": _named(
            (name, icon["keywords"]) for name, icon in _json(packages / "@primer/octicons/build/data.json").items()
        ),
        "ionicons": _named(
            (re.sub("-(outline|sharp)$", "", icon["name"]), icon["tags"])
            for icon in _json(packages / "ionicons/dist/ionicons.json")["icons"]
        ),
        "phosphor": _named(_phosphor(packages / "@phosphor-icons/core/dist/icons.d.ts")),
    }


def _named(pairs: Any) -> Tags:
    tags: Tags = {}
    for name, words in pairs:
        kept = [str(word).lower() for word in words if "*" not in str(word)]
        tags[joined(name)] = tuple(dict.fromkeys([*tags.get(joined(name), ()), *kept]))
    return tags


def _phosphor(path: Path) -> Iterator[tuple[str, list[str]]]:
    text = path.read_text(encoding="utf-8")
    for name, tags in re.findall(r'readonly name: "([^"]+)".*?readonly tags: readonly \[([^\]]*)\]', text, re.DOTALL):
        yield name, re.findall(r'"([^"]*)"', tags)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
