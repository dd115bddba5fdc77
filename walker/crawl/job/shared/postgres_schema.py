"""The tables of a job in Postgres: numbered files, each run once, and those of one crawl, which a repetition makes anew."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from walker.crawl.job.job_schema import CRAWL_INDEXES

INDEXES = (
    *CRAWL_INDEXES,
    "page_keys",
    "next_waiting",
    "in_flight_of",
    "in_flight_hosts",
    "arrivals",
    "final_urls",
    "item_identities",
)
"""Of the tables of one crawl."""
PARTS = tuple(f"pages_{number}" for number in range(4))
"""In which the addresses lie, each those of some hosts: as many as a server vacuums at a time and one. A pop looks into each: it takes
0.29 ms with one table, 0.37 with four parts and 0.51 with eight, tried once; `bench/fleet_parts.py` compares four with one."""
FORMAT = "CREATE TABLE IF NOT EXISTS format (version BIGINT NOT NULL)"
"""The number of the last file that was run."""


@cache
def crawl_tables() -> str:
    """The statements that make the tables of one crawl."""
    return (files(__package__) / "sql" / "crawl_tables.sql").read_text(encoding="utf-8")


@cache
def migrations() -> tuple[str, ...]:
    """The numbered files, in their order."""
    folder = files(__package__) / "sql"
    names = sorted(one.name for one in folder.iterdir() if one.name[:4].isdigit())
    return tuple((folder / name).read_text(encoding="utf-8") for name in names)
