"""Markdown pages as a walk reads them: what a site's program leaves out takes no text with it."""

from tools.reader_training.list_pages import page_of


def _shown(source: str) -> list[str]:
    return [block.text for block in page_of("club", "about.md", source).blocks]


def test_an_import_of_a_page_with_components_takes_only_its_line() -> None:
    shown = _shown("import Tabs from '@theme/Tabs'\nexport const one = 1\n\n# Clients\n\n- Android\n- Kodi\n")
    assert shown[-2:] == ["Android", "Kodi"]
    assert not any("import" in text for text in shown)


def test_a_sentence_that_begins_with_import_stays() -> None:
    assert "import licences are needed." in _shown("import licences are needed.\n")


def test_the_marks_of_a_box_go_and_its_text_stays() -> None:
    shown = _shown("::: tip Note\n\n- One\n- Two\n\n:::\n\nAfter the box.\n")
    assert shown[-3:] == ["One", "Two", "After the box."]


def test_an_indented_box_is_text_and_no_code() -> None:
    page = page_of("club", "about.md", '!!! note "To bring"\n\n    - Boots\n    - Rope\n\nAfter it.\n')
    assert [record.name for record in page.record_sets[0].records] == ["Boots", "Rope"]
    assert "To bring" in [block.text for block in page.blocks]
    assert not any(block.kind == "code" for block in page.blocks)


def test_attributes_of_a_heading_are_not_shown() -> None:
    assert "History" in _shown("## History { #history }\n\nLong ago.\n")
