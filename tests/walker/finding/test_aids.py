"""The readers of finding aids: what they name, and that hostile files cost nothing and break nothing."""

from __future__ import annotations

import json
import time

import pytest

from walker.finding.aids.js_values import NotAValue, read_value
from walker.finding.aids.named_aids import NamedIndex, aids_named_on
from walker.finding.aids.plain_lists import read_feed, read_llms_text
from walker.finding.aids.search_records import read_records
from walker.finding.aids.site_search import open_search
from walker.finding.aids.sphinx_index import SphinxIndex

HOME = "https://docs.example/guide/"
SPHINX = (
    'Search.setIndex({"docnames":["index","backup","api/restore"],"titles":["Guide","Backups","Restoring an archive"],'
    '"terms":{"archiv":[1,2],"unpackarch":2},"titleterms":{"backup":1},"alltitles":{"Every night":[[1,"night"]]}})'
)


def test_sphinx_names_its_pages_with_titles_and_sections() -> None:
    pages = SphinxIndex(SPHINX, HOME, [HOME + "backup.html#top"]).pages()
    assert [(page.url, page.title) for page in pages] == [
        (HOME + "index.html", "Guide"),
        (HOME + "backup.html", "Backups"),
        (HOME + "api/restore.html", "Restoring an archive"),
    ]
    assert pages[1].about == "Every night"


def test_the_suffix_of_sphinx_pages_is_that_of_the_links_of_the_site() -> None:
    index = SphinxIndex(SPHINX, HOME, [HOME + "backup/"])
    assert [page.url for page in index.pages()] == [HOME, HOME + "backup/", HOME + "api/restore/"]


def test_sphinx_is_searched_by_its_own_terms() -> None:
    index = SphinxIndex(SPHINX, HOME, [])
    assert [page.title for page in index.search("When does the backup of an archive run?", 2)] == [
        "Backups",
        "Restoring an archive",
    ]
    assert index.search("zeppelin", 5) == ()


@pytest.mark.parametrize(
    ("text", "title", "url", "said"),
    [
        (
            {"docs": [{"location": "backup/", "title": "Backups", "text": "Kept for <b>90</b> days &amp; nights"}]},
            "Backups",
            HOME + "backup/",
            "Kept for  90  days & nights",
        ),
        (
            [{"documents": [{"i": 1, "t": "Backups", "u": "/guide/backup", "b": ["Guide", "Data"]}], "index": {}}],
            "Backups",
            HOME + "backup",
            "Guide > Data",
        ),
        ({"0": {"doc": "Backups", "title": "Backups", "content": "90 days", "url": "/guide/b"}}, "Backups", HOME + "b", "90 days"),
        (
            {"doc_urls": ["b.html"], "index": {"documentStore": {"docs": {"0": {"title": "Backups", "body": "90 days"}}}}},
            "Backups",
            HOME + "b.html",
            "90 days",
        ),
    ],
)  # fmt: skip
def test_records_of_search_indexes_are_pages(text: object, title: str, url: str, said: str) -> None:
    (page,) = read_records(json.dumps(text), HOME)
    assert (page.url, page.title, page.text) == (url, title, said)


def test_sections_of_one_page_are_one_page() -> None:
    docs = [
        {"location": "backup/", "title": "Backups", "text": "All about them"},
        {"location": "backup/#night", "title": "Every night", "text": "At three"},
    ]
    (page,) = read_records(json.dumps({"docs": docs}), HOME)
    assert (page.title, page.text) == ("Backups", "All about them\nEvery night\nAt three")


def test_a_script_that_assigns_an_index_is_read_and_not_run() -> None:
    assert read_value("window.idx = {a: 'it\\'s', b: [1, 2,], c: !0, d: undefined};") == {
        "a": "it's",
        "b": [1, 2],
        "c": True,
        "d": None,
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no data",
        "{" * 200_000,
        "[" * 200_000,
        '{"a":' * 100_000,
        "x = {a: alert(1)}",
        "{'a': 'x",
        '{"a": 1',
        "[" + "'" * 100_000,
        '"' + "\\" * 100_001,
        "\ud800{",
    ],
)
def test_what_is_no_data_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(NotAValue):
        read_value(text)
    assert time.process_time() - began < 2


def test_hostile_addresses_in_an_index_name_no_page() -> None:
    docs = [
        {"location": location, "title": "x", "text": "y"}
        for location in ("javascript:alert(1)", "data:text/html,x", "mailto:a@b.example", "http://[", " ")
    ]
    assert read_records(json.dumps({"docs": docs}), HOME) == ()


def test_an_index_of_endless_nesting_is_read_as_far_as_it_makes_sense() -> None:
    value: object = {"url": "deep", "title": "Deep"}
    for _ in range(50):
        value = [value]
    assert read_records(json.dumps({"near": {"url": "a", "title": "A"}, "far": value}), HOME)[0].title == "A"


def test_a_search_index_of_another_kind_is_no_sphinx_index() -> None:
    for text in ("{}", '{"docnames": 3}', '{"docnames": [1]}', "[1]", "Search.setIndex(alert(1))"):
        with pytest.raises(NotAValue):
            SphinxIndex(text, HOME, [])
    strange = SphinxIndex(
        '{"docnames":["a"],"titles":3,"terms":{"b":[9,-1,true,"x"]},"alltitles":{"c":[[7]],"d":4}}', HOME, []
    )
    assert strange.search("b", 3) == ()
    assert len(strange.pages()) == 1


def test_llms_text_names_pages_with_notes() -> None:
    text = "# Reef\n\n- [Boats](boats.html): our two boats\n- [Bad](javascript:alert(1))\n* [Crew](/crew)\n"
    assert [(page.url, page.title, page.about) for page in read_llms_text(text, HOME)] == [
        (HOME + "boats.html", "Boats", "our two boats"),
        ("https://docs.example/crew", "Crew", ""),
    ]
    assert read_llms_text("<!DOCTYPE html><p>- [Boats](boats.html)", HOME) == ()


def test_feeds_name_their_entries() -> None:
    item = "<item><title>New boat</title><link>/n/1</link><description>&lt;p&gt;Fast</description></item>"
    rss = f"<rss><channel><link>/</link>{item}</channel></rss>"
    entry = '<entry><title>Old boat</title><link href="n/2"/><summary>Slow</summary></entry>'
    atom = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'
    (first,), (second,) = read_feed(rss, HOME), read_feed(atom, HOME)
    assert (first.url, first.title, first.about) == ("https://docs.example/n/1", "New boat", "Fast")
    assert (second.url, second.title, second.about) == (HOME + "n/2", "Old boat", "Slow")


def test_a_feed_with_entities_or_endless_nesting_is_not_followed() -> None:
    entities = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    bomb = f"{entities}<rss><channel><item><title>&b;</title><link>/x</link></item></channel></rss>"
    assert read_feed(bomb, HOME) == ()
    assert read_feed("<rss>" + "<a>" * 100_000, HOME) == ()
    assert len(read_feed("<rss><channel>" + "<item><link>/a</link></item>" * 5000, HOME)) <= 2001


def test_a_search_form_and_an_opensearch_description_are_addresses_for_words() -> None:
    form = (
        '<form action="/find"><input type="hidden" name="lang" value="en&amp;x"><input name="q"></form>'
        '<form method="post" action="/login"><input name="q"></form>'
    )
    named = aids_named_on(f"<body>{form}</body>", HOME)
    assert named.form is not None
    assert named.form.of("two words & more") == "https://docs.example/find?lang=en%26x&q=two+words+%26+more"
    text = (
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        '<Url type="application/rss+xml" template="/rss?q={searchTerms}"/>'
        '<Url type="text/html" template="/s?q={searchTerms}&amp;p={startPage?}"/></OpenSearchDescription>'
    )
    address = open_search(text, HOME)
    assert address is not None
    assert address.of("a b") == "https://docs.example/s?q=a+b&p="


@pytest.mark.parametrize(
    "form",
    [
        '<form method="post" action="/s"><input name="q"></form>',
        '<form action="https://elsewhere.example/s"><input name="q"></form>',
        '<form action="/s"><input name="email"></form>',
        '<form action="javascript:go()"><input name="q"></form>',
        '<form action="/s"><input type="password" name="q"></form>',
        "<input name='q'>",
    ],
)
def test_forms_that_do_not_search_the_site_are_none(form: str) -> None:
    assert aids_named_on(form, HOME).form is None


def test_a_page_names_its_indexes_feeds_and_descriptions() -> None:
    page = (
        '<head><meta name="generator" content="mkdocs-1.6"><script src="../_static/doctools.js?v=1"></script>'
        '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
        '<link rel="search" type="application/opensearchdescription+xml" href="opensearch.xml"></head>'
    )
    named = aids_named_on(page, HOME)
    assert named.sphinx == "https://docs.example/"
    assert named.feeds == ("https://docs.example/feed.xml",)
    assert named.open_search == HOME + "opensearch.xml"
    assert named.indexes == (NamedIndex(url=HOME + "search/search_index.json", base=HOME),)
    assert aids_named_on("<p>Nothing here", HOME).indexes == ()
    assert open_search("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>", HOME) is None
