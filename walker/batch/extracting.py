"""A batch of extractions: a schema filled in from many addresses, each kept when it ends, and the records in the order of the file."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec
from rich.console import Console

from traces.events import Event
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Walk, WalkPlace
from walker.batch.questions import Assignment
from walker.batch.working_off import work_off
from walker.errors import NotAUrl, UsageError, WalkerError
from walker.extraction.schemas.program_schema import TypedSchema
from walker.extraction.schemas.record_lines import lines_of
from walker.extraction.schemas.schema_settings import as_checked
from walker.files.atomic_output import write_output
from walker.files.locked_jsonl import LockedJsonl
from walker.rules.scope import check_root
from walker.seams.outcome import Outcome

ENDING = ".roots"
"""Of the file beside the records, with a line for each address that was done."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of each address."""

    schema: TypedSchema[Any]
    question: str
    """What the runs are called, and what links are ranked by."""
    plain: bool
    """Whether records are written without quotes and pages."""

    @property
    def digest(self) -> str:
        """The same for the same schema and question, in every process."""
        told = msgspec.json.encode((self.schema.plain, self.question, self.plain), order="sorted")
        return hashlib.sha256(told).hexdigest()[:16]


class ExtractionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a batch."""

    roots: int
    skipped: int
    """Done by an earlier run of the same batch."""
    complete: int
    incomplete: int
    failed: int
    lines: int
    out: str
    kept_in: str


class DoneRoot(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the file beside the records."""

    root: str
    wanted: str
    """Digest of what was wanted."""
    state: Literal["complete", "incomplete", "failed"]
    lines: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    pages: int = 0
    trace: str = ""
    error: str = ""


class Extracted(msgspec.Struct, frozen=True, kw_only=True):
    """What the walk from an address came to, or why there is nothing."""

    root: str
    outcome: Outcome | None = None
    error: str = ""


class Silence:
    """A sink for walks that report by their last line only."""

    def emit(self, event: Event) -> None:
        """Say nothing."""


class ExtractTask(msgspec.Struct, frozen=True):
    """Fill in the schema of the settings from one address."""

    root: str
    question: str

    async def told(self, resources: WalkResources, walk: Walk) -> Extracted:
        """The outcome. Raises `ENDS_A_BATCH`."""
        assignment = Assignment(id=self.root, question=self.question, roots=(self.root,))
        try:
            return Extracted(root=self.root, outcome=await walk(resources, assignment, Silence()))
        except ENDS_A_BATCH:
            raise
        except WalkerError as error:
            return self.lost(str(error))

    def lost(self, why: str) -> Extracted:
        """An address that the next run tries again."""
        return Extracted(root=self.root, error=why)


async def extract_batch(
    path: Path, wanted: Wanted, *, out: Path, place: WalkPlace, console: Console
) -> ExtractionReport:
    """Extract from every address of the file that is not done yet, and write the records of all to `out` in the order of the file,
    each once; also where it is interrupted, as far as it came. Raises `UsageError` and what ends a batch."""
    roots, digest = read_roots(path), wanted.digest
    kept = out.with_name(out.name + ENDING)
    with contextlib.closing(LockedJsonl(kept)) as file:
        done = _read(kept, digest, file)
        waiting = [root for root in roots if root not in done or done[root].state == "failed"]
        if len(waiting) < len(roots):
            console.print(f"{len(roots) - len(waiting)} of {len(roots)} are done in {kept} already")

        def ended(number: int, extracted: Extracted) -> None:
            line = done[extracted.root] = _done(extracted, wanted, digest)
            file.add(msgspec.json.encode(line))
            _show(console, f"{number}/{len(waiting)}", line)

        try:
            await work_off(place, [ExtractTask(root, wanted.question) for root in waiting], ended)
        finally:
            lines = dict.fromkeys(line for root in roots if root in done for line in done[root].lines)
            write_output(out, "".join(f"{line}\n" for line in lines).encode())
    states = [done[root].state for root in roots]
    return ExtractionReport(
        roots=len(roots),
        skipped=len(roots) - len(waiting),
        complete=states.count("complete"),
        incomplete=states.count("incomplete"),
        failed=states.count("failed"),
        lines=len(lines),
        out=str(out),
        kept_in=str(kept),
    )


def read_roots(path: Path) -> tuple[str, ...]:
    """The addresses of a file, one a line, each once; empty lines and those that begin with # are passed over. Raises `UsageError`
    with the line that is wrong."""
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()
    except OSError as error:
        raise UsageError(
            f"the file of addresses cannot be read ({error.strerror})", where=str(path), advice="Check the path"
        ) from None
    except UnicodeDecodeError:
        raise UsageError("not UTF-8 text", where=str(path), advice="Save the file as UTF-8") from None
    found: dict[str, None] = {}
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line and not line.startswith("#"):
            try:
                found[check_root(line)] = None
            except NotAUrl as error:
                raise NotAUrl(error.what, where=f"{path}:{number}: {line[:100]}", advice=error.advice) from None
    if not found:
        raise UsageError("the file holds no address", where=str(path), advice="Write one a line")
    return tuple(found)


def _read(path: Path, digest: str, file: LockedJsonl) -> dict[str, DoneRoot]:
    """The last line of each address; a truncated one at the end is dropped. Raises `UsageError` for a file of something else."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    done = {one.root: one for one in _decoded(path, data[:whole].split(b"\n")[:-1])}
    if any(one.wanted != digest for one in done.values()):
        raise UsageError(
            "these addresses were read with another schema, --about or --plain",
            where=str(path),
            advice="Name another file with -o, or remove this one to begin again",
        )
    file.cut(whole)
    return done


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterable[DoneRoot]:
    decoder = msgspec.json.Decoder(DoneRoot)
    for number, line in enumerate(lines, start=1):
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError as error:
            raise UsageError(
                f"not what an address came to ({error})", where=f"{path}:{number}", advice="Name another file with -o"
            ) from None


def _done(extracted: Extracted, wanted: Wanted, digest: str) -> DoneRoot:
    root = extracted.root
    if extracted.outcome is None:
        return DoneRoot(root=root, wanted=digest, state="failed", error=extracted.error)
    typed = as_checked(extracted.outcome, wanted.schema)
    return DoneRoot(
        root=root,
        wanted=digest,
        state="complete" if typed.answered and typed.is_complete else "incomplete",
        lines=tuple(lines_of(typed, plain=wanted.plain)),
        missing=typed.missing,
        pages=typed.pages,
        trace=typed.trace,
        error=typed.error,
    )


def _show(console: Console, place: str, done: DoneRoot) -> None:
    lacking = f"without {', '.join(done.missing)}" if done.missing else ""
    result = done.error or " ".join(filter(None, (f"{len(done.lines)} lines", lacking)))
    console.print(
        f"{place:>8} {done.state:10} {done.pages:>3} pages  {done.root}  {result}",
        markup=False,
        highlight=False,
        overflow="ignore" if done.error else "ellipsis",
        no_wrap=True,
        crop=not done.error,  # errors are shown in full
    )


msgspec.json.Decoder(DoneRoot)  # described at import: docs/design/msgspec.md
