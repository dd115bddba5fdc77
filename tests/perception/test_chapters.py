from __future__ import annotations

import pytest

from tests.perception.pages import read


@pytest.mark.parametrize("name", ["ch{}.html", "chapter-{}.html", "part{}.html", "guide.sec{}.html"])
def test_the_next_chapter_of_a_book_is_not_the_next_page_of_a_list(name: str) -> None:
    here, following = (f"https://example.org/book/{name.format(number)}" for number in ("01", "02"))
    page = read(
        f'<p>A chapter.</p><a rel="next" href="{following}">Next</a>',
        here,
        head=f'<link rel="next" href="{following}">',
    )
    assert page.pagination.next_url == ""


@pytest.mark.parametrize("name", ["people-{}.html", "news/page/{}", "list?page={}", "archive/{}"])
def test_the_next_page_of_a_list_is(name: str) -> None:
    here, following = (f"https://example.org/{name.format(number)}" for number in (1, 2))
    page = read(f'<p>A list.</p><a rel="next" href="{following}">Next</a>', here)
    assert page.pagination.next_url == following
