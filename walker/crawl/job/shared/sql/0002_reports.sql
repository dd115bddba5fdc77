-- What workers tell of themselves, for `walker fleet status`: figures to look at, which no decision is made from.
ALTER TABLE workers
    ADD COLUMN memory BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN cpu_seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
    ADD COLUMN left_at TIMESTAMPTZ;
-- A worker's last reports, a row for each of some seconds; the oldest is written over.
CREATE TABLE reports (
    worker BIGINT NOT NULL,
    slot BIGINT NOT NULL,
    began_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ NOT NULL,
    facts BYTEA NOT NULL,
    PRIMARY KEY (worker, slot)
);
CREATE INDEX recent_reports ON reports (ended_at);
-- Fetches that came to nothing since the job began, by kind.
CREATE TABLE errors (
    worker BIGINT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    last_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (worker, kind)
);
CREATE INDEX paused_hosts ON paces (paused_until) WHERE paused_until > '-infinity';
