-- Addresses lie in parts by their host. Rows of a job that has one table are moved; a new job, or a repetition, has the parts already.
-- Keys of Postgres that lead to a page's number go with the old table: a part knows its own numbers only.
DO $$
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = to_regclass('pages')) = 'p' THEN RETURN; END IF;
    ALTER TABLE pages RENAME TO undivided_pages;
    CREATE TABLE pages (LIKE undivided_pages INCLUDING DEFAULTS) PARTITION BY HASH (host);
    FOR part IN 0..3 LOOP
        EXECUTE format('CREATE TABLE pages_%s PARTITION OF pages FOR VALUES WITH (MODULUS 4, REMAINDER %s)', part, part);
    END LOOP;
    INSERT INTO pages SELECT * FROM undivided_pages;
    DROP TABLE undivided_pages CASCADE;
    ALTER TABLE pages ADD PRIMARY KEY (id, host), ADD FOREIGN KEY (host) REFERENCES hosts;
    CREATE INDEX page_keys ON pages USING hash (key);
    CREATE INDEX next_waiting ON pages (place, id) WHERE state = 0;
    CREATE INDEX in_flight_of ON pages (worker) WHERE state = 1;
    CREATE INDEX waiting_places ON pages (host, place) WHERE state = 0;
    CREATE INDEX waiting_branches ON pages (branch) WHERE state = 0;
    CREATE INDEX resting ON pages (not_before) WHERE state = 6;
    CREATE INDEX in_flight ON pages (id) WHERE state = 1;
    CREATE INDEX in_flight_hosts ON pages (host) WHERE state = 1;
    CREATE INDEX waiting_again ON pages (place) WHERE state IN (0, 6) AND place < -2305843009213693952;
END $$;
DROP FUNCTION lease_page(BIGINT, BIGINT[], BIGINT, BIGINT, BIGINT);
DROP FUNCTION page_to_lease(BIGINT[], BIGINT, BIGINT, BIGINT);
-- The page to lease, locked: the first in order but of `busy` hosts and of such as keep waiting. Where these fill the front of the queue
-- (`front` rows), it is the first page of one of the next hosts after `after`, by number and round; where all of those wait too, the first in
-- order, as everybody has to. Rows that others are just taking are passed over. Its number and host, by which it is found in one part.
CREATE FUNCTION page_to_lease(busy BIGINT[], after BIGINT, front BIGINT, tried BIGINT) RETURNS BIGINT[] LANGUAGE plpgsql AS $$
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
    IF NOT keeps_waiting(first.host) THEN RETURN ARRAY[first.id, first.host]; END IF;
    passed := busy || first.host::bigint;
    FOR one IN SELECT id, host FROM pages WHERE state = 0 AND host <> ALL (busy) ORDER BY place, id LIMIT front LOOP
        seen := seen + 1;
        CONTINUE WHEN one.host = ANY (passed);
        IF keeps_waiting(one.host) THEN
            passed := passed || one.host::bigint;
            CONTINUE;
        END IF;
        SELECT id INTO chosen FROM pages WHERE id = one.id AND host = one.host AND state = 0 FOR UPDATE SKIP LOCKED;
        IF FOUND THEN RETURN ARRAY[chosen, one.host]; END IF;
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
        IF FOUND THEN RETURN ARRAY[chosen, at]; END IF;
    END LOOP;
    RETURN ARRAY[first.id, first.host];
END $$;
-- Lease it, and write the worker's own tally, in one journey. Its row is no `pages`: a repetition makes that table anew.
CREATE FUNCTION lease_page(me BIGINT, busy BIGINT[], after BIGINT, front BIGINT, tried BIGINT) RETURNS TABLE (
    page BIGINT, address TEXT, named TEXT, level BIGINT, attempt BIGINT, above BIGINT, part TEXT, site BIGINT
) LANGUAGE plpgsql AS $$
DECLARE
    chosen BIGINT[] := page_to_lease(busy, after, front, tried);
BEGIN
    IF chosen IS NULL THEN RETURN; END IF;
    RETURN QUERY UPDATE pages SET state = 1, tries = tries + 1, worker = me WHERE id = chosen[1] AND host = chosen[2]
        RETURNING id, url, key, depth, tries, parent, branch, host;
    UPDATE tallies SET states[1] = states[1] - 1, states[2] = states[2] + 1 WHERE worker = me;
END $$;
