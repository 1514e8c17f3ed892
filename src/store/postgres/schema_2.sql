-- What is expected of rows knows when their lifetime is over. `apply_1` stays for replicas of the
-- version before, while one after the other is replaced.

-- Applies several changes that share no key, each wholly or not at all, and says which were
-- refused. `n` is the number of the change that something belongs to. Whoever writes or expects
-- a key holds its lock to the end, so that what was checked stays true; all take their locks in
-- the same order, so that nobody waits in a circle. A row whose lifetime is over at `now_ms` is
-- not there.
CREATE FUNCTION caravanserai.apply_2(
    now_ms bigint, alone boolean, locks bigint[],
    expect_n integer[], expect_space "char"[], expect_key text[], expect_value bytea[],
    append_n integer[], append_log text[], append_length bigint[],
    drop_n integer[], drop_log text[],
    line_n integer[], line_log text[], line_number bigint[], line_line text[],
    put_n integer[], put_space "char"[], put_key text[], put_value bytea[], put_until bigint[],
    remove_n integer[], remove_space "char"[], remove_key text[],
    tell_n integer[], tell_topic text[]
) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
    refused integer[];
BEGIN
    -- A change with very many keys is alone instead of holding very many locks.
    IF alone THEN
        PERFORM pg_advisory_xact_lock(7164214905201836293);
    ELSE
        PERFORM pg_advisory_xact_lock_shared(7164214905201836293);
        PERFORM pg_advisory_xact_lock(lock) FROM unnest(locks) AS lock;
    END IF;

    SELECT coalesce(array_agg(DISTINCT wrong.n), '{}') INTO refused FROM (
        SELECT expect.n
            FROM unnest(expect_n, expect_space, expect_key, expect_value)
                AS expect (n, space, key, value)
            LEFT JOIN caravanserai.entry
                ON entry.space = expect.space AND entry.key = expect.key
                AND (entry.until_ms IS NULL OR entry.until_ms > now_ms)
            WHERE entry.value IS DISTINCT FROM expect.value
        UNION ALL
        SELECT append.n
            FROM unnest(append_n, append_log, append_length) AS append (n, log, length)
            WHERE append.length <> coalesce((
                SELECT line.number + 1 FROM caravanserai.line WHERE line.log = append.log
                    ORDER BY line.number DESC LIMIT 1
            ), 0)
    ) AS wrong;

    IF cardinality(drop_n) > 0 THEN
        DELETE FROM caravanserai.line USING unnest(drop_n, drop_log) AS gone (n, log)
            WHERE line.log = gone.log AND gone.n <> ALL (refused);
    END IF;
    IF cardinality(line_n) > 0 THEN
        INSERT INTO caravanserai.line (log, number, line)
            SELECT new.log, new.number, new.line
            FROM unnest(line_n, line_log, line_number, line_line) AS new (n, log, number, line)
            WHERE new.n <> ALL (refused);
    END IF;
    IF cardinality(remove_n) > 0 THEN
        DELETE FROM caravanserai.entry
            USING unnest(remove_n, remove_space, remove_key) AS gone (n, space, key)
            WHERE entry.space = gone.space AND entry.key = gone.key AND gone.n <> ALL (refused);
    END IF;
    IF cardinality(put_n) > 0 THEN
        INSERT INTO caravanserai.entry (space, key, value, until_ms)
            SELECT new.space, new.key, new.value, new.until_ms
            FROM unnest(put_n, put_space, put_key, put_value, put_until)
                AS new (n, space, key, value, until_ms)
            WHERE new.n <> ALL (refused)
            ON CONFLICT (space, key)
                DO UPDATE SET value = excluded.value, until_ms = excluded.until_ms;
    END IF;
    IF cardinality(tell_n) > 0 THEN
        PERFORM pg_notify('caravanserai', told.topic)
            FROM unnest(tell_n, tell_topic) AS told (n, topic)
            WHERE told.n <> ALL (refused);
    END IF;
    RETURN refused;
END $$;
