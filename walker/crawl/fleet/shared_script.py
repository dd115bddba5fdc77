"""The script of a shared job, which lies in its database, so that a worker needs its address only."""

from __future__ import annotations

from collections.abc import Mapping

from walker.crawl.errors import BadJob
from walker.crawl.job.shared.postgres_base import PostgresBase, without_password
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.script.secret_text import secrets_of
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript
from walker.errors import UsageError

SPEC = "spec"
"""Setting of the job with its script, without what is each worker's own."""
_OWN = {"output", "state_in", "state_out"}
_IN_FILES = frozenset(("screenshot", "download", "pdf", "pictures", "picture-text"))


def share_script(job: SharedJob, script: CrawlScript, environment: Mapping[str, str]) -> None:
    """Store the script for other workers. Raises `UsageError` where they could not crawl by it."""
    spec = script.spec
    kept = {kind for keep in (spec.keep, *(rule.keep for rule in spec.pages)) for kind in keep}
    if files := sorted(kept & _IN_FILES):
        raise UsageError(
            f"a job of many workers keeps no files ({', '.join(files)}): each has a folder of its own",
            where="keep",
            advice="Leave them out, or crawl without an address of Postgres",
        )
    if spec.login is not None or spec.state_in is not None:
        raise UsageError(
            "a job of many workers does not log in", where="login", advice="Crawl without an address of Postgres"
        )
    if spec.output.wants_markdown and "markdown" not in spec.keep:
        spec = spec.model_copy(update={"keep": (*spec.keep, "markdown")})
    text = spec.model_dump_json(exclude=_OWN)
    if any(secret in text for secret in secrets_of(spec, environment)):
        raise UsageError(
            "a secret stands in the script, and would be stored with the job",
            where="headers or proxy",
            advice="Write it as ${NAME}, and set NAME in the environment of every worker",
        )
    job.keep_setting(SPEC, text if not script.functions.path else "")


def script_of(address: str) -> CrawlScript:
    """The script of the job at an address. Raises `BadJob`."""
    base = PostgresBase(address, makes=False)
    try:
        row = base.execute("SELECT value FROM job WHERE name = ?", (SPEC,)).fetchone()
    finally:
        base.close()
    if row is None or not row[0]:
        raise BadJob(
            "this job has a script in Python, which every worker needs" if row else "the job was not begun yet",
            where=without_password(address),
            advice="Give it: walker worker ADDRESS --script FILE"
            if row
            else "Begin it: walker crawl SCRIPT --job ADDRESS",
        )
    return CrawlScript(spec=CrawlSpec.model_validate_json(row[0]))
