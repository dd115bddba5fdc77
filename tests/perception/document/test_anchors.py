"""The fragment identifier by which a block is cited."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.snapshot import Snapshot

NAV = '<nav id="menu"><ul><li id="m1"><a href="/a">A</a></li></ul></nav>'


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ('<h2 id="boats">Boats</h2>' + NAV + "<p>TEXT</p>", "boats"),
        ('<section id="boats"><h2>Boats</h2><div id="box"><p>TEXT</p></div></section>', "boats"),
        ('<div id="wrap"><section id="boats"><div><h2>Boats</h2></div><p>TEXT</p></section></div>', "boats"),
        (
            '<h2><span class="headline" id="boats">Boats</span></h2><p>Seen<sup id="ref1">1</sup> before</p><p>TEXT</p>',
            "boats",
        ),
        ('<h2><a name="boats"></a>Boats</h2><p>TEXT</p>', "boats"),
        ('<a name="boats"></a><p>TEXT</p>', "boats"),
        ('<h2 id="boats">Boats</h2><p id="mantis">TEXT</p>', "mantis"),
        ('<h2 id="boats">Boats</h2><p id="mantis">The Mantis.</p><p>TEXT</p>', "boats"),
        ('<dl><dt id="mantis">Mantis</dt><dd>TEXT</dd></dl>', "mantis"),
        ('<div id="content"><p>TEXT</p></div>', ""),
        ("<p>TEXT</p><h2 id='boats'>Boats</h2>", ""),
        ("text before<p>TEXT", ""),
    ],
)
def test_a_block_has_its_own_identifier_or_that_of_the_nearest_heading(markup: str, anchor: str) -> None:
    url = "http://reef.example/"
    observation = observe(Snapshot(url=url, final_url=url, status=200, html=f"<body>{NAV}<main>{markup}</main></body>"))
    assert next(block.anchor for block in observation.blocks if block.text == "TEXT") == anchor


def test_text_before_a_heading_is_not_cited_by_it() -> None:
    url = "http://reef.example/"
    markup = "<body><div>TEXT<h2 id='boats'>Boats</h2></div></body>"
    observation = observe(Snapshot(url=url, final_url=url, status=200, html=markup))
    assert [block.anchor for block in observation.blocks] == ["", "boats"]
