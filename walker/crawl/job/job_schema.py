"""The database schema of a job, and its version."""

from __future__ import annotations

VERSION = 1

WAITING, LEASED, DONE, FAILED, SKIPPED, ALIAS, RESTING, CUT = range(8)
"""States of a page: waiting; in flight; stored; could not be fetched; must not be fetched; redirected to another page; postponed; in
a branch that was cut. `why` has the reason of the last five."""
STATE_NAMES = ("waiting", "in flight", "done", "failed", "skipped", "alias", "resting", "cut")
AGAIN, NEVER_AGAIN = -(1 << 62), -(1 << 61)
"""Order positions of pages waiting for a refetch are between these: ahead of all others."""
WAITS_AGAIN = f"state IN ({WAITING}, {RESTING}) AND place < {NEVER_AGAIN}"
"""Condition for pages waiting for a refetch. SQLite uses the partial index only if a query has literally this condition."""

STOP, REPETITION, READING = "stop", "repetition", "reading"
"""Settings of a job: why its last run ended, "" while one is under way; the number of the crawl, from 1; and what its pages were read
by."""

SCHEMA = """
CREATE TABLE job (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hosts (id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE);
CREATE TABLE branches (name TEXT PRIMARY KEY, facts BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE edges (parent INTEGER NOT NULL, child INTEGER NOT NULL, PRIMARY KEY (parent, child)) WITHOUT ROWID;
"""
"""Tables that a repetition of the crawl does not begin anew, or empties."""

CRAWL_SCHEMA = f"""
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    state INTEGER NOT NULL,
    host INTEGER NOT NULL REFERENCES hosts,
    place INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    branch TEXT NOT NULL,
    label TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0,
    why TEXT NOT NULL DEFAULT ''
);
CREATE INDEX waiting_places ON pages (host, place) WHERE state = {WAITING};
CREATE INDEX waiting_branches ON pages (branch) WHERE state = {WAITING};
CREATE INDEX resting ON pages (not_before) WHERE state = {RESTING};
CREATE INDEX in_flight ON pages (id) WHERE state = {LEASED};
CREATE INDEX waiting_again ON pages (place) WHERE {WAITS_AGAIN};
CREATE TABLE contents (
    page INTEGER PRIMARY KEY REFERENCES pages,
    final_url TEXT NOT NULL,
    status INTEGER NOT NULL,
    title TEXT NOT NULL,
    driver TEXT NOT NULL,
    size INTEGER NOT NULL,
    seconds REAL NOT NULL,
    fetched_at REAL NOT NULL,
    words INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    details INTEGER NOT NULL,
    sketch BLOB NOT NULL,
    text_size INTEGER NOT NULL,
    same_as INTEGER NOT NULL DEFAULT 0,
    kept BLOB
);
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    page INTEGER NOT NULL REFERENCES pages,
    fields BLOB NOT NULL
);
"""
"""Pages, contents and items of one crawl."""

RECORDS_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (
    page INTEGER PRIMARY KEY REFERENCES pages,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    digest BLOB NOT NULL,
    change TEXT NOT NULL,
    not_modified INTEGER NOT NULL,
    facts BLOB NOT NULL
);
"""
"""What a repetition needs of a page. Jobs of earlier versions come without it."""
CRAWL_INDEXES = ("waiting_places", "waiting_branches", "resting", "in_flight", "waiting_again")
CRAWL_TABLES = ("pages", "contents", "items", "records")
"""Of one crawl; with `earlier_` before their names, of the crawl before."""

KEEP_SETTING = "INSERT INTO job (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
KEEP_BRANCH = "INSERT INTO branches (name, facts) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET facts = excluded.facts"


def _keep(table: str, columns: str) -> str:
    """The statement that writes a row of a page over an earlier one."""
    names = columns.split()
    values, anew = ", ".join("?" * len(names)), ", ".join(f"{name} = excluded.{name}" for name in names[1:])
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values}) ON CONFLICT (page) DO UPDATE SET {anew}"


KEEP_CONTENTS = _keep(
    "contents",
    "page final_url status title driver size seconds fetched_at words fingerprint details sketch text_size same_as kept",
)
KEEP_RECORD = _keep("records", "page etag last_modified digest change not_modified facts")
