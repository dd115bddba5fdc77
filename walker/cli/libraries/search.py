"""`walker search`: passages of a library by words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from memory.library.protocol import Hit
from memory.library.query_terms import terms_of
from memory.library.snippet import Snippet, snippet_of
from memory.library.ties import break_ties
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.cli.libraries.picture_hits import pictures_like, print_pictures
from walker.cli.run_command import NOT_ANSWERED, run_for_person, stop_with
from walker.errors import WalkerError
from walker.library.opening import library_errors, opened_library
from walker.pictures.service_file import TWO_SEARCHES
from walker.seams.search_protocols import PictureHit
from walker.searching import library_of, of_site, search_site
from walker.settings import SCOUT_PAGES, Settings

WEB = ("http://", "https://")


@click.command("search")
@click.argument("where", metavar="FILE|ROOT")
@click.argument("words", nargs=-1)
@click.option(
    "-k", "most", type=click.IntRange(1, 1000), default=10, show_default=True, help="Print at most this many."
)
@click.option("--page", metavar="URL", default="", help="Search this page alone: its passages, best first.")
@click.option("--all-passages", is_flag=True, help="Print every passage that fits, not only the best of each page.")
@click.option("--meaning", is_flag=True, help="Order passages with equal scores by similarity of meaning.")
@click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With ROOT: keep what is read in this library, and search all that it holds of the site.",
)
@click.option(
    "--scout-pages",
    type=click.IntRange(1, 10_000),
    default=SCOUT_PAGES,
    show_default=True,
    help="With ROOT: read at most so many pages.",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    help="Find the pictures of FILE that show this picture or a part of it; WORDS find pictures too.",
)
@click.option("--box", metavar="L,T,R,B", default=None, help="With --picture: only this part of it, in shares 0..1.")
@click.option(
    "--picture-model",
    type=click.Path(path_type=Path),
    help="With --picture: compare by this encoder too (a folder with vision_model.onnx).",
)
@click.option(
    "--picture-search",
    metavar="URL|FILE",
    default="",
    help="With --picture: send the picture to this service instead. FILE describes its fields.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a hit on stdout and nothing else.")
def search_command(where: str, words: tuple[str, ...], **options: Any) -> None:
    r"""Find the passages that fit WORDS best: of a library FILE, without a network, or of the site at ROOT. FILE is made by walker
    crawl --library, walker library add or walker ask --library. Of a ROOT the library in this folder is searched that holds it
    (*.library); where there is none, the site is read as far as --scout-pages reach, the most promising pages first.

    \b
    walker search docs.library "when does the backup run?"
    walker search docs.library wal checkpoint -k 3 --json
    walker search docs.library "page size" --page https://www.sqlite.org/pragma.html
    walker search https://www.sqlite.org/docs.html "page size"
    walker search docs.library --picture photo.jpg --box 0.1,0.2,0.5,0.6

    Any word may match; rare ones count more, those in titles twice. All text is searched as words: no character has a
    special meaning.

    Exit codes: 0 found, 1 the library or the site cannot be read, 2 wrong usage, 3 nothing found.
    """
    query, as_json = " ".join(words), bool(options["as_json"])
    _check_usage(where, words, options)
    try:
        if options["picture"] is not None:
            _print_pictures(pictures_like(where, query, options), as_json=as_json)
            return
        hits = _of_root(where, query, options) if where.startswith(WEB) else _of_file(Path(where), query, options)
        if options["meaning"] and len(hits) > 1:
            hits = break_ties(query, hits, Ranker(WordLlamaEmbedder.load()))
        snippets = [snippet_of(hit.passage.text, terms_of(query)) for hit in hits]
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        for rank, (hit, snippet) in enumerate(zip(hits, snippets, strict=True), start=1):
            click.echo(msgspec.json.encode(_described(rank, hit, snippet)).decode())
    else:
        _print_hits(hits, snippets)
    if not hits:
        click.echo("walker: nothing found", err=True)
        raise SystemExit(NOT_ANSWERED)


def _check_usage(where: str, words: Sequence[str], options: dict[str, Any]) -> None:
    """Raises `click.UsageError` for options that do not go together."""
    if options["picture"] is None:
        named = next((name for name in ("box", "picture_model", "picture_search") if options[name]), "")
        if named:
            raise click.UsageError(f"--{named.replace('_', '-')} needs --picture FILE too")
        if not words:
            raise click.UsageError("give the words to look for, or --picture FILE")
        return
    if options["picture_model"] is not None and options["picture_search"]:
        raise click.UsageError(TWO_SEARCHES)
    if where.startswith(WEB):
        raise click.UsageError(
            "--picture searches a library FILE, not a site; fill one with walker crawl --keep pictures"
        )


def _print_pictures(hits: tuple[PictureHit, ...], *, as_json: bool) -> None:
    print_pictures(hits, as_json=as_json)
    if not hits:
        click.echo("walker: nothing found", err=True)
        raise SystemExit(NOT_ANSWERED)


def _of_file(file: Path, query: str, options: dict[str, Any]) -> tuple[Hit, ...]:
    with opened_library(file) as library:
        passages = 0 if options["all_passages"] else 1
        return library.search(query, options["most"], page=options["page"], a_page=passages)


def _of_root(root: str, query: str, options: dict[str, Any]) -> tuple[Hit, ...]:
    """Hits on a site: out of a library that is at hand, else out of what is read now."""
    with library_errors():
        terms_of(query)  # a query without words is refused before anything is opened
    known = None if options["library"] is not None else library_of(root, sorted(Path().glob("*.library")))
    if known is not None:
        click.echo(f"walker: searching {known}, which holds this site", err=True)
        wider = {**options, "most": 20 * options["most"]}
        return of_site(_of_file(known, query, wider), root)[: options["most"]]
    settings = Settings(
        record=False,
        library=options["library"],
        scout_pages=options["scout_pages"],
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
    )
    return run_for_person(
        search_site(root, query, options["most"], settings=settings),
        as_json=options["as_json"],
        interrupted="interrupted; nothing was searched",
    )


def _described(rank: int, hit: Hit, snippet: Snippet) -> dict[str, object]:
    """The line of a hit, as docs/commands.md describes it."""
    return {
        "rank": rank,
        "url": hit.url,
        "address": hit.address,
        "title": hit.title,
        "headings": hit.passage.headings,
        "snippet": snippet.text,
        "marks": snippet.marks,
        "text": hit.passage.text,
        "passage": hit.passage.place,
        "language": hit.language,
        "score": hit.score,
    }


def _print_hits(hits: Sequence[Hit], snippets: Sequence[Snippet]) -> None:
    console = Console(highlight=False)
    for hit, snippet in zip(hits, snippets, strict=True):
        title = Text(hit.title or hit.url, style="bold")
        if hit.passage.headings:
            title.append(" > " + " > ".join(hit.passage.headings[-2:]), style="not bold dim")
        console.print(title, soft_wrap=not console.is_terminal)
        shown = _marked(snippet, in_colour=console.is_terminal)
        console.print(Padding(shown, (0, 0, 0, 2)) if console.is_terminal else shown, soft_wrap=not console.is_terminal)
        console.print(Text(f"  {hit.address}  ({hit.score:.1f})", style="dim"), soft_wrap=True)


def _marked(snippet: Snippet, *, in_colour: bool) -> Text:
    """The snippet with the words of the query in bold, or between asterisks where there are no styles."""
    if not in_colour:
        return Text("  " + snippet.marked("*", "*"))
    text = Text(snippet.text)
    for start, end in snippet.marks:
        text.stylize("bold yellow", start, end)
    return text
