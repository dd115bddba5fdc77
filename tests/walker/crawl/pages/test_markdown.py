"""Pages as Markdown, and files as text."""

from __future__ import annotations

import io

import pypdf
import pytest

from perception.document.dom import parse_page
from tests.sites.files_site import LETTER
from walker.crawl.pages.markdown import page_markdown
from walker.pdf.pdf_text import read_pdf

PAGE = """<body><nav><a href=/x>Home</a></nav><div class=sidebar>Side</div>
<main>
<h1>Title</h1><p>Some <b>bold</b> words, and <a href='b.html'>a link</a>.</p>
<ul><li>one</li><li>two<ol><li>deep</li></ol></li></ul>
<pre><code class="language-python">def f():
    return 1
</code></pre>
<table><tr><th>Name</th><th>Room</th></tr><tr><td>Ann</td><td>12</td></tr></table>
<blockquote>Said so.</blockquote>
<h2>Part</h2><p data-walker-hidden="">unseen</p><script>x()</script></main><footer>Foot</footer></body>"""


def markdown(html: str) -> str:
    return page_markdown(parse_page(html), "https://example.org/d/a.html", html)


def test_structure_is_kept_and_what_surrounds_it_is_not() -> None:
    text = markdown(PAGE)
    for part in (
        "# Title",
        "Some **bold** words, and [a link](https://example.org/d/b.html).",
        "- one\n- two\n  1. deep",
        "```python\ndef f():\n    return 1\n```",
        "| Name | Room |\n| --- | --- |\n| Ann | 12 |",
        "> Said so.",
        "## Part",
    ):
        assert part in text
    for part in ("Home", "Side", "Foot", "unseen", "x()"):
        assert part not in text


def test_the_tree_is_left_as_it_is() -> None:
    root = parse_page(PAGE)
    page_markdown(root, "https://example.org/", PAGE)
    assert root.find(".//nav") is not None
    assert root.find(".//footer") is not None


def test_a_page_without_main_loses_its_margins_only() -> None:
    text = markdown(
        "<div id=nav>Menu</div><h1>T</h1><p>"
        + "words of it " * 9
        + "</p><img src='p.png' alt='A map'><a href='mailto:x@y'>mail</a>"
    )
    assert "Menu" not in text
    assert "![A map](https://example.org/d/p.png)" in text
    assert text.endswith("mail")
    assert markdown("<nav>Only a menu</nav>") == "Only a menu"
    assert markdown("") == ""


def made_pdf(pages: int) -> bytes:
    writer = pypdf.PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(width=200, height=200)
    writer.add_metadata({"/Title": "A file"})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_marks_that_lead_to_their_own_heading_are_left_out() -> None:
    root = parse_page(
        "<main><h1>Tides<a href='#tides'>¶</a></h1><p>High at <a href='#noon'>noon</a>, six words more.</p></main>"
    )
    written = page_markdown(root, "http://x.test/a", "")
    assert "¶" not in written
    assert "[noon](http://x.test/a#noon)" in written


def test_text_of_a_file() -> None:
    assert read_pdf(LETTER).text == "Hello harbour"
    read = read_pdf(made_pdf(3), most_pages=2)
    assert (read.pages, read.title, read.problem) == (3, "A file", "read up to page 2 of 3")


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\n%%EOF", b"not a file", LETTER[:200], made_pdf(2)[:300]])
def test_a_broken_file_says_so(data: bytes) -> None:
    read = read_pdf(data)
    assert read.text == ""
    assert read.problem


def test_what_is_read_is_bounded() -> None:
    read = read_pdf(LETTER, most_chars=5)
    assert read.text == "Hello"
    assert read.problem == "read up to page 1 of 1"
