"""A store in a PostgreSQL database that several machines may share; the same rules, the same statements."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from stamina_video.ledger.sql import SCHEMA_VERSION, Record, SqlStore
from stamina_video.semantics import (
    InvalidInput,
    LedgerCorrupt,
    MissingExtra,
    NewerSchema,
    StoreUnavailable,
    StreamBusy,
)

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    raise MissingExtra('PostgreSQL ledgers need psycopg: pip install "stamina-video[postgres]"') from error

_SCHEMA = """
CREATE TABLE ledger_schema (version integer NOT NULL);
CREATE TABLE ledger_names (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE ledger_tracks (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream integer NOT NULL REFERENCES ledger_names,
    target integer NOT NULL REFERENCES ledger_names,
    measure text NOT NULL,
    UNIQUE (stream, target, measure)
);
CREATE TABLE ledger_commits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream integer NOT NULL REFERENCES ledger_names,
    track integer NOT NULL REFERENCES ledger_tracks,
    segment bigint NOT NULL,
    kind text NOT NULL,
    delta bigint NOT NULL,
    observation bigint NOT NULL,
    time double precision NOT NULL,
    evidence_id bytea NOT NULL,
    evidence text NOT NULL,
    model integer NOT NULL REFERENCES ledger_names,
    recorded double precision NOT NULL,
    total bigint NOT NULL CHECK (total >= 0),
    gained bigint NOT NULL CHECK (gained >= total),
    digest bytea NOT NULL
);
CREATE INDEX ledger_as_of ON ledger_commits (track, segment, time, id) INCLUDE (total, gained);
CREATE UNIQUE INDEX ledger_evidence ON ledger_commits (stream, evidence_id);
CREATE INDEX ledger_order ON ledger_commits (stream, id);
CREATE INDEX ledger_landmarks ON ledger_commits (stream, id) WHERE kind IN ('segment', 'target');
CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$;
"""
_REFUSALS = "".join(
    f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
    f"FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();"
    for table in ("ledger_names", "ledger_tracks", "ledger_commits")
)


class PostgresStore(SqlStore):
    def __init__(self, address: str, readonly: bool) -> None:
        super().__init__()
        self.name = _without_password(address)
        with self._translated():
            self._connection = psycopg.connect(address, autocommit=True)
        try:
            self._prepare(readonly)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, readonly: bool) -> None:
        self.execute("SET synchronous_commit = on")  # acknowledged means on disk
        ((found,),) = self.query("SELECT to_regclass('ledger_schema') IS NOT NULL")
        if readonly and not found:
            raise StoreUnavailable(f"expected a ledger in {self.name}, got a database without one")
        if readonly:
            self.execute("SET default_transaction_read_only = on")
        elif not found:
            self._create()
        ((version,),) = self.query("SELECT max(version) FROM ledger_schema")
        if version > SCHEMA_VERSION:
            raise NewerSchema(
                f"expected a ledger of schema {SCHEMA_VERSION} or older in {self.name}, "
                f"got schema {version}: a later stamina-video wrote it"
            )

    def _create(self) -> None:
        with self._translated(), self._connection.transaction():
            # Several processes may open a new ledger at the same moment.
            self.execute("SELECT pg_advisory_xact_lock(?)", self._key("schema"))
            ((found,),) = self.query("SELECT to_regclass('ledger_schema') IS NOT NULL")
            if not found:
                self.execute(_SCHEMA)
                self.execute(_REFUSALS)
                self.execute("INSERT INTO ledger_schema VALUES (?)", SCHEMA_VERSION)

    def claim(self, stream: str) -> None:
        ((granted,),) = self.query("SELECT pg_try_advisory_lock(?)", self._key("stream", stream))
        if not granted:
            raise StreamBusy(f"expected no other writer of stream {stream!r} in {self.name}, got one at work")

    def _key(self, *names: str) -> int:
        """The number of an advisory lock; ledgers in other schemas of the database have others."""
        ((schema,),) = self.query("SELECT current_schema()")
        framed = "\0".join(("stamina-ledger", str(schema), *names)).encode()
        return int.from_bytes(hashlib.blake2b(framed, digest_size=8).digest(), "big", signed=True)

    def query(self, statement: str, *values: Any) -> list[Record]:
        with self._translated():
            return self._connection.execute(_marked(statement), values).fetchall()

    def execute(self, statement: str, *values: Any) -> None:
        with self._translated():
            self._connection.execute(_marked(statement), values or None)

    def execute_all(self, statement: str, records: Sequence[Record]) -> None:
        with self._translated(), self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany(_marked(statement), records)

    def check(self) -> None:
        pass  # its pages are the server's own business: data checksums, pg_amcheck

    def close(self) -> None:
        # The server takes a moment to notice that a client is gone; the claims end now.
        with suppress(psycopg.Error):
            self._connection.execute("SELECT pg_advisory_unlock_all()")
        self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Errors of the driver and the server, in the ledger's words and without the password."""
        try:
            yield
        except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted) as error:
            raise LedgerCorrupt(f"{self.name} is damaged: {_first_line(error)}") from None
        except psycopg.Error as error:
            raise StoreUnavailable(f"cannot use the ledger {self.name}: {_first_line(error)}") from None


def _marked(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]


def _without_password(address: str) -> str:
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error:
        raise InvalidInput(
            "expected postgresql://user@host:port/database, got an address that is not"
        ) from None
    user = f"{parts['user']}@" if "user" in parts else ""
    port = f":{parts['port']}" if "port" in parts else ""
    return f"postgresql://{user}{parts.get('host', '')}{port}/{parts.get('dbname', '')}"
