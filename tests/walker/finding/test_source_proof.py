from __future__ import annotations

from perception.snapshot import Snapshot
from walker.crawl.rendering.needs_javascript import facts_of
from walker.finding.source_proof import UNSAMPLED, SourceProof

URL = "http://reef.example/"
SCRIPT = '<script src="/menu.js"></script>'
TEXT = f"<p>{'The station studies corals and the fish that live among them, all year round. ' * 8}</p>"


def snapshot(html: str) -> Snapshot:
    return Snapshot(url=URL, final_url=URL, status=200, html=html)


def why_not(proof: SourceProof, html: str) -> str:
    return proof.why_not(facts_of(html, URL))


def test_a_page_without_scripts_says_all_that_a_browser_shows() -> None:
    assert why_not(SourceProof(), "<p>Boats</p>") == ""


def test_a_script_is_trusted_once_a_sample_with_it_was_the_same() -> None:
    proof, page = SourceProof(), f"{TEXT}{SCRIPT}"
    assert why_not(proof, page) == UNSAMPLED
    assert proof.compare(snapshot(page), snapshot(page)) == ""
    assert why_not(proof, f"{TEXT}<p>Crew</p>{SCRIPT}") == ""
    assert why_not(proof, f"{TEXT}<p>Crew</p>{SCRIPT}<script src='/more.js'></script>") == UNSAMPLED


def test_a_script_that_showed_more_is_not_trusted() -> None:
    proof, page = SourceProof(), f"{TEXT}{SCRIPT}"
    shown = snapshot(f"{TEXT}<p>Mantis</p>{SCRIPT}")
    assert "Mantis" in proof.compare(snapshot(page), shown, snapshot(page))
    assert why_not(proof, f"{TEXT}<p>Crew</p>{SCRIPT}") not in ("", UNSAMPLED)


def test_what_changes_from_request_to_request_is_no_difference() -> None:
    proof = SourceProof()
    first, shown, again = (snapshot(f"{TEXT}<p>visit 1{number}</p>{SCRIPT}") for number in range(3))
    assert proof.compare(first, shown, again) == ""


def test_a_server_that_serves_browsers_something_else_is_read_by_the_browser() -> None:
    proof, told = SourceProof(), snapshot("<p>Please wait</p>")
    assert proof.compare(told, snapshot("<p>Boats Mantis</p>"), told)
    assert why_not(proof, "<p>Crew</p>")


def test_a_clock_on_a_page_without_scripts_is_not_held_against_its_site() -> None:
    proof = SourceProof()
    source, shown, again = (snapshot(f"{TEXT}<p>It is 10:0{minute}</p>") for minute in range(3))
    assert "10:01" in proof.compare(source, shown)
    assert proof.compare(source, shown, again) == ""
    assert why_not(proof, "<p>Crew</p>") == ""


def test_an_empty_shell_needs_its_scripts() -> None:
    assert why_not(SourceProof(), f'<div id="app"></div>{SCRIPT}') not in ("", UNSAMPLED)
