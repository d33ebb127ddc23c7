-- The schema of Stout.PostgreSql: layout stout-postgresql, version 1. The library runs this file by itself where it may; a person can
-- run it instead, in each database that is to be a store partition, and again without harm:
--
--     psql -v ON_ERROR_STOP=1 -v schema=stout --single-transaction -f schema.sql "$DATABASE"
--
\if :{?schema}
\else
\set schema stout
\endif

CREATE SCHEMA IF NOT EXISTS :"schema";

-- The functions keep it: they look nowhere else.
SET search_path = :"schema", pg_temp;

-- One row. What follows the version is written when the library opens the database for the first time.
CREATE TABLE IF NOT EXISTS identity (
    layout text NOT NULL, version int NOT NULL,
    set_id uuid, partition int, partitions int, hash text, ready boolean NOT NULL DEFAULT false);
CREATE UNIQUE INDEX IF NOT EXISTS identity_has_one_row ON identity ((true));
INSERT INTO identity (layout, version) VALUES ('stout-postgresql', 1) ON CONFLICT DO NOTHING;

-- One row for each object. Keys are UTF-8 as bytea: compared byte by byte under any collation, and free to contain NUL.
-- A stamp is epoch, writer and sequence, big-endian: its first 8 bytes are the epoch and compare as such.
-- Room is left on each page, so that an update finds place beside the old row and touches no index.
CREATE TABLE IF NOT EXISTS header (
    key bytea PRIMARY KEY,
    stamp bytea NOT NULL,
    generation bytea,        -- of the object's rows in part; null while it has had none
    deleted_at timestamptz,  -- null while the object exists
    value bytea)             -- the object's own bytes; null if it has none
    WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS header_deleted ON header (deleted_at) WHERE deleted_at IS NOT NULL;

-- The other parts of objects.
CREATE TABLE IF NOT EXISTS part (
    key bytea NOT NULL, generation bytea NOT NULL, subkey bytea NOT NULL, value bytea NOT NULL,
    PRIMARY KEY (key, generation, subkey))
    WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_vacuum_cost_delay = 0);

-- Generations that have ended, and whose rows the sweeper has not removed yet.
-- Each row lives for a moment, so its place has to become free soon, however few rows there are.
CREATE TABLE IF NOT EXISTS garbage (key bytea NOT NULL, generation bytea NOT NULL, PRIMARY KEY (key, generation))
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Has this transaction's commit wait for the disk, whatever the server's default; remote_apply waits for more than that, and stays.
CREATE OR REPLACE FUNCTION commit_durably() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF current_setting('synchronous_commit') <> 'remote_apply' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
END $$;

-- Commits what a batch holds, and returns the keys whose stamp is not the write's next one afterwards, with the stamp that they have
-- (null: the key is absent). A key whose row another transaction has locked is skipped and returned as busy, whatever its stamp. A row with a
-- negative place says how many generations have ended. expected is empty for a key that has to be absent.
-- flags: 1 the write begins anew (Replace, Delete), 2 it deletes, 4 it names the object's own bytes, 8 and gives them, 16 it has rows
-- for part. owners: the places of the keys that the parts belong to.
CREATE OR REPLACE FUNCTION write_batch(
    keys bytea[], expected bytea[], next bytea[], flags smallint[], own bytea[],
    removed_owners int[], removed_subkeys bytea[], owners int[], subkeys bytea[], part_values bytea[])
RETURNS TABLE (place bigint, stored bytea, busy boolean) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    asked CONSTANT bytea[] := keys;
    inserted bigint := 0;
    found_rows bigint;
BEGIN
    PERFORM commit_durably();

    -- New keys first, in the order of the keys, so that batches which insert the same keys never wait in a circle. An insertion waits for a
    -- transaction that has inserted or is changing its key, up to lock_timeout, so no row may be locked before.
    IF array_position(expected, '') IS NOT NULL THEN
        INSERT INTO header (key, stamp, generation, deleted_at, value)
            SELECT w.key, w.next,
                CASE WHEN w.flags & 16 <> 0 THEN w.next END, CASE WHEN w.flags & 2 <> 0 THEN now() END, CASE WHEN w.flags & 8 <> 0 THEN w.own END
            FROM unnest(keys, expected, next, flags, own) AS w (key, expected, next, flags, own)
            WHERE w.expected = ''
            ORDER BY w.key
            ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS inserted = ROW_COUNT;
    END IF;

    -- From here on the locked rows change no more, and each statement below sees them as they are. A row that another transaction has locked
    -- is skipped: its key becomes null, and no statement below touches it.
    PERFORM FROM header h WHERE h.key = ANY (keys) FOR NO KEY UPDATE SKIP LOCKED;
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    IF found_rows < cardinality(asked) THEN
        WITH locked AS MATERIALIZED (SELECT h.key FROM header h WHERE h.key = ANY (asked) FOR NO KEY UPDATE SKIP LOCKED)
        SELECT array_agg(l.key ORDER BY w.place) INTO keys
            FROM unnest(asked) WITH ORDINALITY AS w (key, place) LEFT JOIN locked l ON l.key = w.key;
    END IF;

    IF EXISTS (SELECT FROM unnest(flags) AS f (flag) WHERE f.flag & 1 <> 0) THEN
        INSERT INTO garbage
            SELECT h.key, h.generation
            FROM unnest(keys, expected, flags) AS w (key, expected, flags) JOIN header h ON h.key = w.key AND h.stamp = w.expected
            WHERE w.flags & 1 <> 0 AND h.generation IS NOT NULL
            ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS place = ROW_COUNT;
        IF place > 0 THEN
            place := -place;
            RETURN NEXT;
        END IF;
    END IF;

    -- A write that was done before (by another transaction) is done again, which changes nothing: this transaction, too, then waits
    -- until the log is where synchronous_commit says, and that wait may have been cancelled the first time.
    UPDATE header h SET
        stamp = w.next,
        generation = CASE WHEN w.flags & 1 = 0 AND h.generation IS NOT NULL THEN h.generation WHEN w.flags & 16 <> 0 THEN w.next END,
        deleted_at = CASE WHEN w.flags & 2 <> 0 THEN now() END,
        value = CASE WHEN w.flags & 8 <> 0 THEN w.own WHEN w.flags & 5 = 0 THEN h.value END
    FROM unnest(keys, expected, next, flags, own) AS w (key, expected, next, flags, own)
    WHERE h.key = w.key AND (h.stamp = w.expected OR h.stamp = w.next AND h.xmin <> pg_current_xact_id()::xid);
    GET DIAGNOSTICS found_rows = ROW_COUNT;

    IF cardinality(removed_owners) > 0 THEN
        DELETE FROM part p
            USING unnest(removed_owners, removed_subkeys) AS r (owner, subkey)
            JOIN header h ON h.key = keys[r.owner] AND h.stamp = next[r.owner]
            WHERE p.key = h.key AND p.generation = h.generation AND p.subkey = r.subkey;
    END IF;

    IF cardinality(owners) > 0 THEN
        INSERT INTO part (key, generation, subkey, value)
            SELECT h.key, h.generation, w.subkey, w.value
            FROM unnest(owners, subkeys, part_values) AS w (owner, subkey, value)
            JOIN header h ON h.key = keys[w.owner] AND h.stamp = next[w.owner]
            ON CONFLICT ON CONSTRAINT part_pkey DO UPDATE SET value = excluded.value;
    END IF;

    -- Asked last: a key that another transaction has created meanwhile is seen now. It is not locked, so it counts as busy.
    IF inserted + found_rows < cardinality(asked) THEN
        RETURN QUERY
            SELECT w.place, h.stamp, w.kept IS NULL AND h.key IS NOT NULL
            FROM unnest(asked, keys, next) WITH ORDINALITY AS w (key, kept, next, place) LEFT JOIN header h ON h.key = w.key
            WHERE h.stamp IS DISTINCT FROM w.next OR w.kept IS NULL;
    END IF;
END $$;

-- Gives keys of an older epoch than the claim's the claim's stamp, unless another transaction has locked the row. A deleted header is kept for
-- its full time again: it fences the old owner. A claim that was done before is done again, so that this transaction, too, waits for its standby.
CREATE OR REPLACE FUNCTION claim_keys(keys bytea[], claims bytea[]) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    locked bytea[];
BEGIN
    PERFORM commit_durably();
    SELECT array_agg(l.key) INTO locked FROM (
        SELECT h.key FROM header h JOIN unnest(keys, claims) AS c (key, claim) 
                ON h.key = c.key AND (substr(h.stamp, 1, 8) < substr(c.claim, 1, 8) OR h.stamp = c.claim)
            FOR NO KEY UPDATE OF h SKIP LOCKED) l;
    IF locked IS NOT NULL THEN
        UPDATE header h SET stamp = c.claim, deleted_at = CASE WHEN h.deleted_at IS NOT NULL THEN now() END
            FROM unnest(keys, claims) AS c (key, claim)
            WHERE h.key = c.key AND h.key = ANY (locked) AND (substr(h.stamp, 1, 8) < substr(c.claim, 1, 8) OR h.stamp = c.claim);
    END IF;
END $$;

-- Removes up to so many rows of ended generations, or else up to so many deleted headers whose time is over. It never waits for a lock: rows
-- that another transaction has locked stay for another time. Returns how many rows it has removed (0: there is nothing more to do now) and
-- how many generations have no row left. A crash may undo the last steps, which does no harm, so the commit does not wait for the disk.
CREATE OR REPLACE FUNCTION sweep(most int, retention interval, OUT removed int, OUT finished int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    ended_keys bytea[];
    ended_generations bytea[];
BEGIN
    finished := 0;
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT array_agg(g.key), array_agg(g.generation) INTO ended_keys, ended_generations
        FROM (SELECT e.key, e.generation FROM garbage e LIMIT most FOR UPDATE SKIP LOCKED) g;
    IF ended_keys IS NOT NULL THEN
        DELETE FROM part WHERE ctid = ANY (ARRAY(
            SELECT p.ctid FROM unnest(ended_keys, ended_generations) AS e (key, generation)
                JOIN part p ON p.key = e.key AND p.generation = e.generation
                LIMIT most FOR UPDATE OF p SKIP LOCKED));
        GET DIAGNOSTICS removed = ROW_COUNT;
        DELETE FROM garbage g USING unnest(ended_keys, ended_generations) AS e (key, generation)
            WHERE g.key = e.key AND g.generation = e.generation
                AND NOT EXISTS (SELECT FROM part p WHERE p.key = e.key AND p.generation = e.generation);
        GET DIAGNOSTICS finished = ROW_COUNT;
        removed := removed + finished;
        IF removed > 0 THEN
            RETURN;
        END IF;
    END IF;

    -- Every write and every claim of a deleted key sets its time anew, so an old time means an unchanged stamp.
    DELETE FROM header WHERE key IN (
        SELECT h.key FROM header h
        WHERE h.deleted_at <= now() - retention AND NOT EXISTS (SELECT FROM garbage g WHERE g.key = h.key)
        ORDER BY h.deleted_at LIMIT most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS removed = ROW_COUNT;
END $$;

-- Bytes as text where they are text, else as hexadecimal digits with \x before them. A text that would look like those gets them too,
-- and so does what has a NUL, which text can't hold: so different bytes never look the same.
CREATE OR REPLACE FUNCTION readable_text(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
    IF substr(bytes, 1, 2) = '\x5c78'::bytea THEN
        RETURN bytes::text;
    END IF;
    RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN bytes::text;
END $$;

-- For people: one row for each part; the empty subkey is the object itself. One key: WHERE key_bytes = convert_to('…', 'UTF8').
CREATE OR REPLACE VIEW readable AS
    SELECT readable_text(e.key) AS key, readable_text(e.subkey) AS subkey, readable_text(e.value) AS value,
        e.key AS key_bytes, e.subkey AS subkey_bytes, e.value AS value_bytes
    FROM (
        SELECT h.key, ''::bytea AS subkey, h.value FROM header h WHERE h.value IS NOT NULL
        UNION ALL
        SELECT h.key, p.subkey, p.value FROM header h JOIN part p ON p.key = h.key AND p.generation = h.generation) e;
