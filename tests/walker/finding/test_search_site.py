"""`walker search ROOT`: a site that no library holds is scouted and searched, one that a library holds is not asked for."""

from __future__ import annotations

import json
from pathlib import Path

from tests.sites.pages_on_loopback import serve_site
from tests.walker.cli.program import walker_here
from tests.walker.finding.conftest import PAGES


def test_a_site_is_scouted_and_searched(tmp_path: Path) -> None:
    with serve_site(PAGES) as site:
        ended = walker_here("search", site.home, "launch of the vessel Mantis", "--json", folder=tmp_path)
        assert ended.code == 0, ended.err
        assert json.loads(ended.out.splitlines()[0])["url"] == site.home + "boats.html"
        assert not list(tmp_path.iterdir()), "nothing is recorded, nothing is kept"


def test_what_was_read_is_kept_and_searched_without_the_site(tmp_path: Path) -> None:
    with serve_site(PAGES) as site:
        walker_here("search", site.home, "Mantis", "--library", "reef.library", folder=tmp_path)
        asked = len(site.asked)
        ended = walker_here("search", site.home, "Mantis", "--json", folder=tmp_path)
        assert len(site.asked) == asked
    assert "searching reef.library" in ended.line
    assert json.loads(ended.out.splitlines()[0])["url"] == site.home + "boats.html"


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    for arguments, code, said in (
        (("http://127.0.0.1:9/", "Mantis"), 1, "127.0.0.1:9"),
        (("http://127.0.0.1:9/", "?!"), 2, "no word"),
        (("http://", "Mantis"), 2, "http"),
    ):
        ended = walker_here("search", *arguments, folder=tmp_path)
        assert ended.code == code, ended.err
        assert said in ended.line
