-- A page is leased of a host whose turn is near. What begins a fetch tells how a host may be asked: `most` at once, `gap` seconds apart.
ALTER TABLE paces
    ADD COLUMN most BIGINT NOT NULL DEFAULT 4,
    ADD COLUMN gap DOUBLE PRECISION NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS in_flight_hosts ON pages (host) WHERE state = 1;
DROP FUNCTION begin_fetch(TEXT, BIGINT, BIGINT, DOUBLE PRECISION);
CREATE FUNCTION begin_fetch(host TEXT, me BIGINT, at_once BIGINT, apart DOUBLE PRECISION)
RETURNS DOUBLE PRECISION LANGUAGE plpgsql AS $$
DECLARE
    due TIMESTAMPTZ;
    moment TIMESTAMPTZ;
BEGIN
    INSERT INTO paces VALUES (host, '-infinity', '-infinity', at_once, apart) ON CONFLICT DO NOTHING;
    SELECT GREATEST(next_start, paused_until) INTO due FROM paces WHERE origin = host FOR UPDATE;
    moment := clock_timestamp();
    IF due > moment THEN RETURN EXTRACT(EPOCH FROM due - moment); END IF;
    IF (SELECT COUNT(*) FROM fetches WHERE origin = host) >= at_once THEN RETURN 0.05; END IF;
    UPDATE paces SET next_start = moment + make_interval(secs := apart), most = at_once, gap = apart WHERE origin = host;
    INSERT INTO fetches VALUES (me, host);
    RETURN 0;
END $$;
-- Whether a page of a host that is leased now would stand and wait: its next start is more than a second away, or all workers together
-- have as many of its pages as are fetched at once and once more, or as it starts within four seconds (three for fetches, one to wait).
CREATE FUNCTION keeps_waiting(which BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
    RETURN COALESCE((
        SELECT GREATEST(next_start, paused_until) > clock_timestamp() + interval '1 second'
            OR (SELECT COUNT(*) FROM (SELECT 1 FROM pages WHERE state = 1 AND host = which LIMIT 128) AS leased)
                >= LEAST(2 * most, CASE WHEN gap > 0 THEN GREATEST(2, FLOOR(4 / gap)) ELSE 128 END)
        FROM hosts JOIN paces USING (origin) WHERE hosts.id = which
    ), FALSE);
END $$;
-- The page to lease, locked: the first in order but of `busy` hosts and of such as keep waiting. Where these fill the front of the queue
-- (`front` rows), it is the first page of one of the next hosts after `after`, by number and round; where all of those wait too, the first in
-- order, as everybody has to. Rows that others are just taking are passed over.
CREATE FUNCTION page_to_lease(busy BIGINT[], after BIGINT, front BIGINT, tried BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    first RECORD;
    one RECORD;
    chosen BIGINT;
    passed BIGINT[];
    seen BIGINT := 0;
    at BIGINT := after;
    has_turned BOOLEAN := FALSE;
BEGIN
    SELECT id, host INTO first FROM pages WHERE state = 0 AND host <> ALL (busy) ORDER BY place, id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF NOT keeps_waiting(first.host) THEN RETURN first.id; END IF;
    passed := busy || first.host::bigint;
    FOR one IN SELECT id, host FROM pages WHERE state = 0 AND host <> ALL (busy) ORDER BY place, id LIMIT front LOOP
        seen := seen + 1;
        CONTINUE WHEN one.host = ANY (passed);
        IF keeps_waiting(one.host) THEN
            passed := passed || one.host::bigint;
            CONTINUE;
        END IF;
        SELECT id INTO chosen FROM pages WHERE id = one.id AND state = 0 FOR UPDATE SKIP LOCKED;
        IF FOUND THEN RETURN chosen; END IF;
    END LOOP;
    WHILE seen >= front AND tried > 0 LOOP
        SELECT host INTO one FROM pages WHERE state = 0 AND host > at ORDER BY host, place LIMIT 1;
        IF NOT FOUND THEN
            EXIT WHEN has_turned;
            has_turned := TRUE;
            at := 0;
            CONTINUE;
        END IF;
        at := one.host;
        tried := tried - 1;
        CONTINUE WHEN one.host = ANY (passed);
        CONTINUE WHEN keeps_waiting(one.host);
        SELECT id INTO chosen FROM pages WHERE state = 0 AND host = at ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF FOUND THEN RETURN chosen; END IF;
    END LOOP;
    RETURN first.id;
END $$;
-- Lease it, and write the worker's own tally, in one journey. Its row is no `pages`: a repetition makes that table anew.
CREATE FUNCTION lease_page(me BIGINT, busy BIGINT[], after BIGINT, front BIGINT, tried BIGINT) RETURNS TABLE (
    page BIGINT, address TEXT, named TEXT, level BIGINT, attempt BIGINT, above BIGINT, part TEXT, site BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
    chosen BIGINT := page_to_lease(busy, after, front, tried);
BEGIN
    IF chosen IS NULL THEN RETURN; END IF;
    RETURN QUERY UPDATE pages SET state = 1, tries = tries + 1, worker = me WHERE id = chosen
        RETURNING id, url, key, depth, tries, parent, branch, host;
    UPDATE tallies SET states[1] = states[1] - 1, states[2] = states[2] + 1 WHERE worker = me;
END $$;
