-- The schema of Stout.PostgreSql: layout stout-postgresql, version 4. The library runs this file by itself where it may; a person can
-- run it instead, in each database that is to be a store partition, and again without harm. It also changes a schema of version 3 into one of version 4:
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

-- One row. What follows the version is written when the library opens the database for the first time. Every table has a primary key, by which
-- logical replication and change capture name its rows.
CREATE TABLE IF NOT EXISTS identity (
    id int PRIMARY KEY DEFAULT 1 CHECK (id = 1), layout text NOT NULL, version int NOT NULL,
    set_id uuid, partition int, partitions int, hash text, ready boolean NOT NULL DEFAULT false);

-- One row for each key that was written or claimed. Keys are UTF-8 as bytea: compared byte by byte under any collation, and free to contain NUL.
-- A key above 256 bytes has a row key of 257: a prefix of whole code points up to 192 bytes, ~ up to 193, and its SHA-256 in hexadecimal digits.
-- A stamp is epoch, writer and sequence, big-endian. A write changes the stamp, and a claim changes the owner: epoch and claim.
-- Room is left on each page, so that an update finds place beside the old row and touches no index.
CREATE TABLE IF NOT EXISTS header (
    key bytea PRIMARY KEY,
    stamp bytea NOT NULL,    -- of the last write; empty while the key was claimed only
    epoch bigint,            -- of the owner; null while the key has had none
    claim uuid,              -- the id of the claim that made the owner; null if there is none, or if it was reset
    generation bytea,        -- of the object's rows in part; null while it has had none
    deleted_at timestamptz,  -- when a key without an object was deleted or claimed last; null while the object exists
    value bytea,             -- the object's own bytes; null if it has none
    long_key bytea)          -- the whole key where key is a row key of 257 bytes; else null
    WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS header_deleted ON header (deleted_at) WHERE deleted_at IS NOT NULL;

-- One row: no smaller than the epoch of any header that was removed. Owners of new headers have larger epochs.
CREATE TABLE IF NOT EXISTS epoch_floor (id int PRIMARY KEY DEFAULT 1 CHECK (id = 1), epoch bigint NOT NULL);

-- Version 3 had no keys in these two tables.
DO $$ BEGIN
    IF EXISTS (SELECT FROM identity WHERE layout = 'stout-postgresql' AND version = 3) THEN
        ALTER TABLE identity ADD COLUMN id int PRIMARY KEY DEFAULT 1 CHECK (id = 1);
        ALTER TABLE epoch_floor ADD COLUMN id int PRIMARY KEY DEFAULT 1 CHECK (id = 1);
        DROP INDEX identity_has_one_row, epoch_floor_has_one_row;
        UPDATE identity SET version = 4;
    END IF;
END $$;
INSERT INTO identity (layout, version) VALUES ('stout-postgresql', 4) ON CONFLICT DO NOTHING;
INSERT INTO epoch_floor (epoch) VALUES (0) ON CONFLICT DO NOTHING;

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

-- Commits what a batch holds: each key whose stamp and owner are the write's. Returns the keys whose stamp is not the write's next one afterwards, with
-- the stamp and the owner that they have (null: the key is absent). A key whose row another transaction has locked is skipped and returned as busy,
-- whatever its stamp. A row with a negative place says how many generations have ended. expected is empty for a key that has never been written.
-- flags: 1 the write begins anew (Replace, Delete), 2 it deletes, 4 it names the object's own bytes, 8 and gives them, 16 it has rows
-- for part. part_places: the places of the keys that the parts belong to. epochs and claims: the owners, as the header has them. long_keys: of the keys
-- that may be new. What is missing at the ends of these three is null.
CREATE OR REPLACE FUNCTION write_batch(
    keys bytea[], expected bytea[], next bytea[], flags smallint[], own bytea[],
    removed_places int[], removed_subkeys bytea[], part_places int[], subkeys bytea[], part_values bytea[], epochs bigint[], claims uuid[],
    long_keys bytea[] DEFAULT NULL)
RETURNS TABLE (place bigint, stored bytea, stored_epoch bigint, stored_claim uuid, busy boolean) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    asked CONSTANT bytea[] := keys;
    inserted bigint := 0;
    found_rows bigint;
BEGIN
    PERFORM commit_durably();

    -- New keys first, in the order of the keys, so that batches which insert the same keys never wait in a circle. An insertion waits for a
    -- transaction that has inserted or is changing its key, up to lock_timeout, so no row may be locked before. A key with an owner has a row
    -- since its claim: if that was swept, the write must not make another.
    IF array_position(expected, '') IS NOT NULL AND (cardinality(epochs) < cardinality(keys) OR array_position(epochs, NULL) IS NOT NULL) THEN
        INSERT INTO header (key, stamp, generation, deleted_at, value, long_key)
            SELECT w.key, w.next,
                CASE WHEN w.flags & 16 <> 0 THEN w.next END, CASE WHEN w.flags & 2 <> 0 THEN now() END, CASE WHEN w.flags & 8 <> 0 THEN w.own END,
                w.long_key
            FROM unnest(keys, expected, next, flags, own, epochs, long_keys) AS w (key, expected, next, flags, own, epoch, long_key)
            WHERE w.expected = '' AND w.epoch IS NULL
            ORDER BY w.key
            ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS inserted = ROW_COUNT;
    END IF;

    -- From here on the locked rows change no more, and each statement below sees them as they are. A row that another transaction has locked
    -- is skipped: its key becomes null, and no statement below touches it.
    PERFORM FROM header h WHERE h.key = ANY (keys) FOR NO KEY UPDATE SKIP LOCKED;
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    IF found_rows < cardinality(asked) THEN
        SELECT array_agg((SELECT h.key FROM header h WHERE h.key = w.key FOR NO KEY UPDATE SKIP LOCKED) ORDER BY w.place) INTO keys
            FROM unnest(asked) WITH ORDINALITY AS w (key, place);
    END IF;

    IF EXISTS (SELECT FROM unnest(flags) AS f (flag) WHERE f.flag & 1 <> 0) THEN
        INSERT INTO garbage
            SELECT h.key, h.generation
            FROM unnest(keys, expected, flags, epochs, claims) AS w (key, expected, flags, epoch, claim) JOIN header h
                ON h.key = w.key AND h.stamp = w.expected AND h.epoch IS NOT DISTINCT FROM w.epoch AND h.claim IS NOT DISTINCT FROM w.claim
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
    FROM unnest(keys, expected, next, flags, own, epochs, claims) AS w (key, expected, next, flags, own, epoch, claim)
    WHERE h.key = w.key AND (
        h.stamp = w.expected AND h.epoch IS NOT DISTINCT FROM w.epoch AND h.claim IS NOT DISTINCT FROM w.claim
        OR h.stamp = w.next AND h.xmin <> pg_current_xact_id()::xid);
    GET DIAGNOSTICS found_rows = ROW_COUNT;

    IF cardinality(removed_places) > 0 THEN
        DELETE FROM part p
            USING unnest(removed_places, removed_subkeys) AS r (place, subkey)
            JOIN header h ON h.key = keys[r.place] AND h.stamp = next[r.place]
            WHERE p.key = h.key AND p.generation = h.generation AND p.subkey = r.subkey;
    END IF;

    IF cardinality(part_places) > 0 THEN
        INSERT INTO part (key, generation, subkey, value)
            SELECT h.key, h.generation, w.subkey, w.value
            FROM unnest(part_places, subkeys, part_values) AS w (place, subkey, value)
            JOIN header h ON h.key = keys[w.place] AND h.stamp = next[w.place]
            ON CONFLICT ON CONSTRAINT part_pkey DO UPDATE SET value = excluded.value;
    END IF;

    -- Asked last: a key that another transaction has created meanwhile is seen now. It is not locked, so it counts as busy.
    IF inserted + found_rows < cardinality(asked) THEN
        RETURN QUERY
            SELECT w.place, h.stamp, h.epoch, h.claim, w.kept IS NULL AND h.key IS NOT NULL
            FROM unnest(asked, keys, next) WITH ORDINALITY AS w (key, kept, next, place) LEFT JOIN header h ON h.key = w.key
            WHERE h.stamp IS DISTINCT FROM w.next OR w.kept IS NULL;
    END IF;
END $$;

-- Makes each claim the owner of its key, with an epoch above all that the key has had and at least the one asked for, unless another transaction has
-- locked the row. A claim of null resets the key's claim, in the same way. A claim whose from_stamp is not null takes the key from that stamp and owner alone.
-- A claim of another key than the header keeps changes nothing. What the claims have changed shows in the headers afterwards. A claim that was done
-- before is done again and leaves the epoch, so that this transaction, too, waits for its standby. A header without an object is kept for its full
-- time again. What is missing at the ends of from_stamps, from_epochs, from_claims and long_keys is null.
CREATE OR REPLACE FUNCTION claim_keys(
    keys bytea[], claims uuid[], least_epochs bigint[], from_stamps bytea[], from_epochs bigint[], from_claims uuid[],
    long_keys bytea[] DEFAULT NULL)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    inserted bigint;
BEGIN
    PERFORM commit_durably();

    -- Absent keys first, and in their order, for the reason that write_batch gives. A row that is there is left alone: an insertion would wait for
    -- a transaction that changes it. A statement that finds a header removed also finds the floor that was raised with it.
    INSERT INTO header (key, stamp, epoch, claim, deleted_at, long_key)
        SELECT c.key, '', greatest(f.epoch + 1, c.least), c.claim, now(), c.long_key
        FROM unnest(keys, claims, least_epochs, from_stamps, from_epochs, long_keys) AS c (key, claim, least, from_stamp, from_epoch, long_key),
            epoch_floor f
        WHERE c.claim IS NOT NULL AND (c.from_stamp IS NULL OR c.from_stamp = '' AND c.from_epoch IS NULL)
            AND NOT EXISTS (SELECT FROM header h WHERE h.key = c.key)
        ORDER BY c.key
        ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS inserted = ROW_COUNT;
    IF inserted = cardinality(keys) THEN
        RETURN;
    END IF;

    -- From here on the arrays have the locked keys alone. A claim or an empty stamp without an epoch, and an epoch that can't grow, are damage; it
    -- stays for the read to report.
    SELECT array_agg(l.key), array_agg(l.claim), array_agg(l.least), array_agg(l.from_stamp), array_agg(l.from_epoch), array_agg(l.from_claim)
        INTO keys, claims, least_epochs, from_stamps, from_epochs, from_claims
        FROM (
            SELECT c.*
            FROM unnest(keys, claims, least_epochs, from_stamps, from_epochs, from_claims, long_keys)
                    AS c (key, claim, least, from_stamp, from_epoch, from_claim, long_key)
                JOIN header h ON h.key = c.key AND (c.long_key IS NULL OR h.long_key = c.long_key)
            WHERE h.xmin <> pg_current_xact_id()::xid
                AND (h.epoch BETWEEN 1 AND 9223372036854775806 OR h.epoch IS NULL AND h.claim IS NULL AND h.stamp <> '')
            FOR NO KEY UPDATE OF h SKIP LOCKED) l;
    UPDATE header h SET
        epoch = CASE WHEN h.claim IS NOT DISTINCT FROM c.claim THEN h.epoch ELSE greatest(h.epoch + 1, f.epoch + 1, c.least) END,
        claim = c.claim,
        deleted_at = CASE WHEN h.deleted_at IS NOT NULL THEN now() END
    FROM unnest(keys, claims, least_epochs, from_stamps, from_epochs, from_claims) AS c (key, claim, least, from_stamp, from_epoch, from_claim),
        epoch_floor f
    WHERE h.key = c.key AND (
        c.from_stamp IS NULL OR h.claim IS NOT DISTINCT FROM c.claim
        OR h.stamp = c.from_stamp AND h.epoch IS NOT DISTINCT FROM c.from_epoch AND h.claim IS NOT DISTINCT FROM c.from_claim);
END $$;

-- Removes up to so many rows of ended generations, or else up to so many headers without an object whose time is over. It never waits for a lock: rows
-- that another transaction has locked stay for another time. Returns how many rows it has removed (0: there is nothing more to do now) and
-- how many generations have no row left. A crash may undo the last steps, which does no harm, so the commit does not wait for the disk.
CREATE OR REPLACE FUNCTION sweep(most int, retention interval, OUT removed int, OUT finished int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    ended_keys bytea[];
    ended_generations bytea[];
    old_keys bytea[];
    highest bigint;
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

    -- Every write and every claim of a key without an object sets its time anew, so an old time means that nothing has changed since.
    SELECT array_agg(o.key), max(o.epoch) INTO old_keys, highest FROM (
        SELECT h.key, h.epoch FROM header h
        WHERE h.deleted_at <= now() - retention AND NOT EXISTS (SELECT FROM garbage g WHERE g.key = h.key)
        ORDER BY h.deleted_at LIMIT most FOR UPDATE SKIP LOCKED) o;

    -- No epoch of a removed header may come again. The floor rises in the transaction that removes them; another sweeper that raises it at this
    -- moment ends this step.
    IF EXISTS (SELECT FROM epoch_floor f WHERE f.epoch < highest) THEN
        PERFORM FROM epoch_floor f FOR NO KEY UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            removed := 0;
            RETURN;
        END IF;
        UPDATE epoch_floor f SET epoch = greatest(f.epoch, highest);
    END IF;
    DELETE FROM header WHERE key = ANY (old_keys);
    GET DIAGNOSTICS removed = ROW_COUNT;
END $$;

-- Bytes as text where they are text, else as hexadecimal digits with \x before them. A text that would look like those gets them too,
-- and so does what has a NUL, which text can't hold: so different bytes never look the same.
CREATE OR REPLACE FUNCTION readable_text(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
    IF substr(bytes, 1, 2) <> decode('5c78', 'hex') THEN
        BEGIN
            RETURN convert_from(bytes, 'UTF8');
        EXCEPTION WHEN OTHERS THEN
        END;
    END IF;
    RETURN chr(92) || 'x' || encode(bytes, 'hex');
END $$;

-- For people: one row for each part; the empty subkey is the object itself. One key: WHERE key_bytes = convert_to('key', 'UTF8').
CREATE OR REPLACE VIEW readable AS
    SELECT readable_text(coalesce(e.long_key, e.key)) AS key, readable_text(e.subkey) AS subkey, readable_text(e.value) AS value,
        e.key AS key_bytes, e.subkey AS subkey_bytes, e.value AS value_bytes
    FROM (
        SELECT h.key, h.long_key, ''::bytea AS subkey, h.value FROM header h WHERE h.value IS NOT NULL
        UNION ALL
        SELECT h.key, h.long_key, p.subkey, p.value FROM header h JOIN part p ON p.key = h.key AND p.generation = h.generation) e;
