-- Everything lies in a schema of its own, so that the database may be shared.
-- A later version is a new file; what is here never changes once it was released.

-- One row for each row of a space. `space` is the letter of the space.
CREATE TABLE caravanserai.entry (
    space "char" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value bytea NOT NULL,
    -- From when on it may be swept away, in milliseconds of Unix time.
    until_ms bigint,
    -- Who has claimed it until when.
    held_by text,
    held_until timestamptz,
    PRIMARY KEY (space, key)
) WITH (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX entry_until ON caravanserai.entry (until_ms) WHERE until_ms IS NOT NULL;

-- One row for each line of a log.
CREATE TABLE caravanserai.line (
    log text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    line text COLLATE "C" NOT NULL,
    PRIMARY KEY (log, number)
);

-- Names that are held by one owner for a while.
CREATE TABLE caravanserai.lease (
    name text COLLATE "C" PRIMARY KEY,
    owner text NOT NULL,
    until timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX lease_until ON caravanserai.lease (until);

-- Applies several changes that share no key, each wholly or not at all, and says which were
-- refused. `n` is the number of the change that something belongs to. Whoever writes or expects
-- a key holds its lock to the end, so that what was checked stays true; all take their locks in
-- the same order, so that nobody waits in a circle.
CREATE FUNCTION caravanserai.apply_1(
    alone boolean, locks bigint[],
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
