"""Indexes of API references and of VitePress: what they name, and that damaged ones name nothing."""

from __future__ import annotations

import base64
import gzip
import json
import zlib

import pytest

from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve_site
from tests.walker.finding.conftest import page
from walker.finding.aids.js_values import NotAValue
from walker.finding.aids.named_aids import NamedIndex, NamedReference, aids_named_on
from walker.finding.aids.named_page import NamedPage
from walker.finding.aids.reference_indexes import (
    DOXYGEN_FILES,
    doxygen_files,
    read_doxygen,
    read_javadoc,
    read_typedoc,
    read_vitepress,
)
from walker.finding.aids.search_records import read_records
from walker.finding.polite_site import PoliteSite
from walker.finding.site_aids import SiteAids
from walker.rules.scope import WalkScope

HOME = "https://api.example/docs/"
TYPES = 'typeSearchIndex = [{"p":"reef.boats","l":"Vessel"},{"l":"All Classes","u":"allclasses-index.html"}];updateSearchResults();'
MEMBERS = (
    'memberSearchIndex = [{"p":"reef.boats","c":"Vessel","l":"launch(int)","u":"launch(int)"},'
    '{"p":"reef.boats","c":"Vessel","l":"moor()"}]'
)
PACKAGES = 'packageSearchIndex = [{"l":"reef.boats"}]'


def urls(pages: tuple[NamedPage, ...]) -> list[str]:
    return [one.url.removeprefix(HOME) for one in pages]


def test_javadoc_names_classes_with_their_members_and_packages() -> None:
    pages = read_javadoc(TYPES, MEMBERS, PACKAGES, HOME)
    assert urls(pages) == ["reef/boats/Vessel.html", "allclasses-index.html", "reef/boats/package-summary.html"]
    assert pages[0].title == "Vessel"
    assert pages[0].text.splitlines() == ["Vessel (reef.boats)", "launch(int)", "moor()"]


def test_javadoc_of_modules_has_a_folder_for_each() -> None:
    pages = read_javadoc('x = [{"p":"reef","l":"Boat"}]', "", 'y = [{"m":"sea.base","l":"reef"}]', HOME)
    assert urls(pages) == ["sea.base/reef/Boat.html", "sea.base/reef/package-summary.html"]


def test_doxygen_has_a_file_for_each_first_letter_and_names_pages_with_parts() -> None:
    assert doxygen_files('var indexSectionsWithContent =\n{\n  0: "abcdefghijklmnopq",\n  1: "b"\n};')[15:] == (
        "all_f.js",
        "all_10.js",
    )
    assert doxygen_files("var x = 1") == ()
    assert len(doxygen_files(f'indexSectionsWithContent = {{ 0: "{"a" * 300}"')) == DOXYGEN_FILES
    first = (
        "var searchData=[['boat_0',['Boat',['../classBoat.html',1,'']]],"
        "['launch_1',['launch',['../classBoat.html#a1',1,'Boat'],['../crew_8h.html#b2',1,'crew.h']]]]"
    )
    pages = read_doxygen([first, "alert(1)", "var searchData=[['x',3],[1],'y',['z',['Z',[7],4]]]"], HOME + "search/")
    assert urls(pages) == ["classBoat.html", "crew_8h.html"]
    assert (pages[0].title, pages[0].text) == ("Boat", "Boat\nlaunch (Boat)")
    assert pages[1].title == "", "only a part of it is named"


@pytest.mark.parametrize("form", ["gzip", "zlib", "plain"])
def test_typedoc_is_read_compressed_or_not(form: str) -> None:
    rows = [
        {"kind": 128, "name": "Boat", "url": "classes/Boat.html", "classes": ""},
        {"kind": 2048, "name": "moor", "url": "classes/Boat.html#moor", "parent": "Boat"},
    ]
    data = json.dumps({"rows": rows, "index": {}})
    gzipped, zipped = (base64.b64encode(pack(data.encode())).decode() for pack in (gzip.compress, zlib.compress))
    packed = {
        "gzip": f'window.searchData = "data:application/octet-stream;base64,{gzipped}";',
        "zlib": f'window.searchData = "{zipped}";',
        "plain": data,
    }
    (boat,) = read_typedoc(packed[form], HOME)
    assert (boat.url, boat.title, boat.text) == (HOME + "classes/Boat.html", "Boat", "Boat\nmoor (Boat)")


@pytest.mark.parametrize("text", ["", "x", 'a = "base64,AAAA"', '"base64,' + "A" * 100 + '"', "{"])
def test_a_damaged_typedoc_index_is_refused(text: str) -> None:
    with pytest.raises(NotAValue):
        read_typedoc(text, HOME)


def test_vitepress_names_its_pages_and_its_menus_their_titles() -> None:
    names = json.dumps(
        {"index.md": "a", "guide_first-steps.md": "b", "guide_index.md": "c", "one_two.md": "d", "javascript:x.md": "e"}
    )
    data = {
        "themeConfig": {
            "sidebar": {
                "/guide/": [{"text": "Guide", "items": [{"text": "First steps", "link": "/guide/first-steps"}]}]
            }
        }
    }
    markup = f"<script>window.__VP_SITE_DATA__=JSON.parse({json.dumps(json.dumps(data))});</script>"
    pages = read_vitepress(names, markup, HOME, [HOME + "guide/first-steps.html", HOME + "one_two.html"])
    assert urls(pages) == ["", "guide/first-steps.html", "guide/", "one_two.html"]
    assert [one.title for one in pages] == ["", "First steps", "", ""]
    clean = read_vitepress(names, "<p>", HOME, [HOME + "guide/first-steps"])
    assert urls(clean)[1] == "guide/first-steps"
    with pytest.raises(NotAValue):
        read_vitepress("<!doctype html>", "", HOME, [])


@pytest.mark.parametrize(
    ("markup", "kind", "folder"),
    [
        ('<meta name="generator" content="javadoc/X"><script src="../../script-dir/jquery-3.6.1.min.js">', "Javadoc", "https://api.example/"),
        ('<!-- Generated by javadoc (11) --><script src="jquery/jszip/dist/jszip.min.js">', "Javadoc", HOME + "a/"),
        ('<meta name="generator" content="Doxygen 1.9.4"><script src="search/searchdata.js">', "Doxygen", HOME + "a/"),
        ('<script async src="../assets/search.js" id="tsd-search-script">', "TypeDoc", HOME),
        ('<meta name="generator" content="VitePress v1.6"><script src="/docs/assets/app.9f.js">', "VitePress", HOME),
    ],
)  # fmt: skip
def test_a_page_names_the_reference_that_it_belongs_to(markup: str, kind: str, folder: str) -> None:
    assert aids_named_on(f"<head>{markup}</script></head>", HOME + "a/b.html").reference == NamedReference(
        kind=kind,  # type: ignore[arg-type]
        folder=folder,
    )


def test_scripts_of_these_names_alone_name_no_reference() -> None:
    for script in ("script-dir/jquery.js", "search/searchdata.js", "assets/search.js", "assets/app.1.js"):
        assert aids_named_on(f'<script src="{script}"></script>', HOME).reference is None


@pytest.mark.parametrize(
    ("markup", "url", "base"),
    [
        ('<script>documenterBaseURL=".."</script>', HOME + "search_index.js", HOME),
        ('<script async src="../search-index.js"></script>', HOME + "search-index.js", HOME),
        ('<meta name="generator" content="quarto-1.4"><meta name="quarto:offset" content="../">', HOME + "search.json", HOME),
        ('<meta name="docfx:rel" content="../">', HOME + "index.json", HOME),
        ('<meta name="generator" content="Crystal Docs 1.6">', HOME + "a/search-index.js", HOME + "a/"),
    ],
)  # fmt: skip
def test_a_generator_that_keeps_its_records_elsewhere_is_known(markup: str, url: str, base: str) -> None:
    assert aids_named_on(f"<head>{markup}</head>", HOME + "a/b.html").indexes == (NamedIndex(url=url, base=base),)


def test_records_within_records_are_pages_too() -> None:
    boat = '{"path":"Boat.html","full_name":"Reef::Boat","types":[]}'
    text = f'callback({{"program":{{"path":"toplevel.html","name":"Top","types":[{boat}]}}}})'
    assert [(one.url, one.title) for one in read_records(text, HOME)] == [
        (HOME + "toplevel.html", "Top"),
        (HOME + "Boat.html", "Reef::Boat"),
    ]


async def test_the_pages_of_a_reference_are_known_without_a_link_to_them() -> None:
    head = '<meta name="generator" content="javadoc/X"><script src="script-dir/jquery.js"></script>'
    pages: dict[str, str | bytes] = {
        "/": page("Reef API", "<p>Boats.</p>", head),
        "/type-search-index.js": TYPES,
        "/member-search-index.js": MEMBERS,
    }
    with serve_site(pages) as served:
        site = PoliteSite(served.home)
        aids = SiteAids(site, WalkScope(root_url=served.home))
        first = await site.page(served.home)
        assert isinstance(first, Snapshot)
        named = await aids.read(first, first)
        await site.close()
    assert aids.named == {"Javadoc index": 2}
    assert named[0].url == served.home + "reef/boats/Vessel.html"
