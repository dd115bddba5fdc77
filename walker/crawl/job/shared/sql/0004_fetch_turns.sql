-- A worker numbers its fetches, so that a beginning or an end that is told twice, since the answer was lost with the connection, counts once.
ALTER TABLE fetches ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
DROP FUNCTION begin_fetch(TEXT, BIGINT, BIGINT, DOUBLE PRECISION);
CREATE FUNCTION begin_fetch(host TEXT, me BIGINT, mine BIGINT, at_once BIGINT, apart DOUBLE PRECISION)
RETURNS DOUBLE PRECISION LANGUAGE plpgsql AS $$
DECLARE
    due TIMESTAMPTZ;
    moment TIMESTAMPTZ;
BEGIN
    INSERT INTO paces VALUES (host, '-infinity', '-infinity', at_once, apart) ON CONFLICT DO NOTHING;
    SELECT GREATEST(next_start, paused_until) INTO due FROM paces WHERE origin = host FOR UPDATE;
    IF EXISTS (SELECT 1 FROM fetches WHERE worker = me AND origin = host AND turn = mine) THEN RETURN 0; END IF;
    moment := clock_timestamp();
    IF due > moment THEN RETURN EXTRACT(EPOCH FROM due - moment); END IF;
    IF (SELECT COUNT(*) FROM fetches WHERE origin = host) >= at_once THEN RETURN 0.05; END IF;
    UPDATE paces SET next_start = moment + make_interval(secs := apart), most = at_once, gap = apart WHERE origin = host;
    INSERT INTO fetches VALUES (me, host, mine);
    RETURN 0;
END $$;
