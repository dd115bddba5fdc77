"""A job's tables in Postgres: one namespace (a `SCHEMA` of Postgres) a job, statements with the marks of SQLite, through `psycopg`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit
from zlib import crc32

from walker.crawl.errors import BadJob
from walker.crawl.job.job_base import Rows
from walker.crawl.job.shared.postgres_schema import FORMAT, INDEXES, PARTS, crawl_tables, migrations
from walker.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from psycopg import Connection

NAME, USUAL = "job", "crawl"
"""The parameter of an address that names the job, and the name of a job without one."""
PREFIX = "walker_"
"""Begins the namespaces of jobs."""
CONNECT_SECONDS = 10
AWAY_SECONDS = 300.0
"""For as long a server that has gone away is waited for, such as one that is started again."""
_PAUSE_SECONDS = 0.5
_KEEPALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4"
_Result = TypeVar("_Result")


def is_postgres(text: object) -> bool:
    """Whether a job is named by an address of Postgres."""
    return str(text).startswith(("postgresql://", "postgres://"))


def job_of(address: str) -> tuple[str, str]:
    """The address of the server as libpq reads it, and the job's name. Raises `UsageError`."""
    parts = urlsplit(address)
    given = parse_qsl(parts.query, keep_blank_values=True)
    name = dict(given).get(NAME, USUAL)
    if not name.replace("_", "").replace("-", "").isalnum() or len(name) > 40:
        raise UsageError(
            "the name of a job is up to 40 letters, digits, - and _",
            where=f"--job ...?{NAME}={name}",
            advice=f"Name it like postgresql://host/database?{NAME}=news",
        )
    query = urlencode([(key, value) for key, value in given if key != NAME])
    return urlunsplit(parts._replace(query=query)), name


def without_password(address: str) -> str:
    """The address as it may be told: server, database and job."""
    parts = urlsplit(address)
    where = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}"
    return f"postgresql://{where}{parts.path}?{NAME}={job_of(address)[1]}"


def split_password(address: str) -> tuple[str, str]:
    """The address without its password, and the password; "" for none. Raises `UsageError` for the passphrase of a key, which has no
    other place than the address."""
    parts = urlsplit(address)
    given = parse_qsl(parts.query, keep_blank_values=True)
    if any(name == "sslpassword" for name, _ in given):
        raise UsageError(
            "the passphrase of a key stays on this machine",
            where="sslpassword",
            advice="Give workers a key without one (sslkey), or leave --on and --workers out",
        )
    user, _, inner = parts.netloc.rpartition("@")[0].partition(":")
    password = dict(given).get("password", unquote(inner))
    host = parts.netloc.rpartition("@")[2]
    query = urlencode([(key, value) for key, value in given if key != "password"])
    return urlunsplit(parts._replace(netloc=f"{user}@{host}" if user else host, query=query)), password


def with_password(address: str, password: str) -> str:
    """The address with a password again; as it is for ""."""
    if not password:
        return address
    parts = urlsplit(address)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}"))


class PostgresBase:
    """An open connection to one job's tables, which are made where they are missing. Not thread-safe.

    A statement outside of a transaction is run again once the server is back, if it goes away meanwhile; a transaction is run again
    by `again_if_away`.
    """

    crawl_schema = crawl_tables()
    crawl_indexes = INDEXES
    crawl_parts = PARTS

    def __init__(self, address: str, *, makes: bool = True) -> None:
        """`makes`: whether a job that is not there is made.

        Raises:
            BadJob: the server cannot be had, the job is not there, or it is of another version.
            MissingExtra: there is no `psycopg`.
        """
        self.address = address
        self._url, name = job_of(address)
        self._schema = f"{PREFIX}{name.lower()}"
        self.key = crc32(self._schema.encode()) & 0x7FFFFFFF
        """Number of the job among the server's locks."""
        self.connected: Callable[[], None] = lambda: None
        """Called with every new connection but the first."""
        try:
            self._connection = self._connect_once_started()
            self._make_tables(makes=makes)
        except _errors() as error:
            raise BadJob(
                f"the job cannot be opened ({_first_line(error)})",
                where=without_password(address),
                advice="See whether the server runs and lets you in (psql with the same address)",
            ) from None

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is under way."""
        return self._connection.info.transaction_status.name in ("INTRANS", "INERROR", "ACTIVE")

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement, and give the rows that come of it."""
        text, given = _with_own_marks(statement), tuple(map(_storable, values))
        if self.in_transaction:
            return self._connection.execute(text, given)
        return self.again_if_away(lambda: self._connection.execute(text, given))

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> None:
        """Run one statement for each row of values."""
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(_with_own_marks(statement), [tuple(map(_storable, row)) for row in rows])

    def begin(self) -> None:
        """Begin a transaction, once those of other workers on this job have ended."""
        self._connection.execute(f"BEGIN; SELECT pg_advisory_xact_lock({self.key})".encode())

    def has_table(self, name: str) -> bool:
        """Whether the job has this table."""
        found = self.execute("SELECT to_regclass(?)", (f'"{self._schema}".{name}',)).fetchone()
        return found[0] is not None

    def again_if_away(self, run: Callable[[], _Result]) -> _Result:
        """Run it, and once more with a new connection each time that the server has gone away. Whatever ran is as if it had not, but
        for a commit whose answer got lost: what is run must see by itself that it is done."""
        from psycopg import InterfaceError, OperationalError  # noqa: PLC0415 - an extra

        deadline = 0.0
        while True:
            try:
                return run()
            except (OperationalError, InterfaceError) as error:
                now = time.monotonic()
                deadline = deadline or now + AWAY_SECONDS
                if now > deadline:
                    raise BadJob(
                        f"the server has been away for {AWAY_SECONDS:.0f} s ({_first_line(error)})",
                        where=without_password(self.address),
                        advice="Start it, and run the same command again: nothing that was kept is lost",
                    ) from None
                self._reconnect()

    def drop(self) -> None:
        """Remove the job with all that it has stored."""
        self.execute(f'DROP SCHEMA IF EXISTS "{self._schema}" CASCADE')
        self._make_tables(makes=True)

    def close(self) -> None:
        """Let go of the server."""
        self._connection.close()

    def _connect_once_started(self) -> Connection[Any]:
        """The first connection. A server that says it is starting is waited for; one that is not there is not."""
        from psycopg import OperationalError, pq  # noqa: PLC0415 - an extra
        from psycopg.conninfo import make_conninfo  # noqa: PLC0415 - an extra

        deadline = time.monotonic() + AWAY_SECONDS
        while True:
            try:
                return self._connect()
            except OperationalError:
                # Errors of connecting have no code, and texts in the server's language.
                state = pq.PGconn.ping(make_conninfo(self._url, connect_timeout=CONNECT_SECONDS).encode())
                if state == pq.Ping.OK:  # it may have come up meanwhile; else this says what else is wrong
                    return self._connect()
                if state != pq.Ping.REJECT or time.monotonic() > deadline:
                    raise
            time.sleep(_PAUSE_SECONDS)

    def _connect(self) -> Connection[Any]:
        psycopg = _psycopg()
        own: dict[str, Any] = {} if "connect_timeout=" in self._url else {"connect_timeout": CONNECT_SECONDS}
        return psycopg.connect(  # type: ignore[no-any-return]
            self._url,
            autocommit=True,
            application_name="walker",
            # A network that has died is seen after some half a minute, at both ends.
            options=f'-c search_path="{self._schema}" {_KEEPALIVE}',
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=4,
            **own,
        )

    def _reconnect(self) -> None:
        """One try, after a pause."""
        time.sleep(_PAUSE_SECONDS)
        self._connection.close()
        with suppress(*_errors()):
            self._connection = self._connect()
            self.connected()

    def _make_tables(self, *, makes: bool) -> None:
        """Make what is missing; two workers that begin together make it once."""
        run = self._connection.execute
        if not makes and run("SELECT to_regclass(%s)", (f'"{self._schema}".format',)).fetchone() == (None,):
            self._connection.close()
            raise BadJob(
                "there is no such job yet",
                where=without_password(self.address),
                advice="Begin it: walker crawl SCRIPT --job ADDRESS",
            )
        run(f"BEGIN; SELECT pg_advisory_xact_lock({self.key})".encode())
        try:
            run(f'CREATE SCHEMA IF NOT EXISTS "{self._schema}"; {FORMAT}'.encode())
            version = (run("SELECT version FROM format").fetchone() or (0,))[0]
            for number, script in enumerate(migrations()[version:], version):
                run(script.encode())
                run(crawl_tables().encode() if number == 0 else b"DELETE FROM format")
                run("INSERT INTO format VALUES (%s)", (number + 1,))
            run("COMMIT")
        except BaseException:
            self._connection.close()
            raise
        if version > len(migrations()):
            self._connection.close()
            raise BadJob(
                "was written by a later version of Walker",
                where=without_password(self.address),
                advice=f"Update Walker, or name another job: ...?{NAME}=NAME",
            )


def _psycopg() -> Any:
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra(
            "a job in Postgres needs psycopg",
            where="--job",
            advice="Install it with: pip install 'gemwalker[postgres]'",
        ) from None
    return psycopg


def _errors() -> tuple[type[Exception], ...]:
    return (_psycopg().Error, UnicodeError)  # of a name that can be no host: "postgresql://.../crawls"


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


@lru_cache(maxsize=256)
def _with_own_marks(statement: str) -> bytes:
    return statement.replace("%", "%%").replace("?", "%s").encode()


def _storable(value: Any) -> Any:
    """A value without what Postgres has no place for in texts."""
    if isinstance(value, list):
        return [_storable(one) for one in value]
    return value.replace("\0", "") if isinstance(value, str) and "\0" in value else value
