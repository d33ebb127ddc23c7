--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: stout; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA stout;


--
-- Name: claim_keys(bytea[], uuid[], bigint[], bytea[], bigint[], uuid[], bytea[]); Type: FUNCTION; Schema: stout; Owner: -
--

CREATE FUNCTION stout.claim_keys(keys bytea[], claims uuid[], least_epochs bigint[], from_stamps bytea[], from_epochs bigint[], from_claims uuid[], long_keys bytea[] DEFAULT NULL::bytea[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'stout', 'pg_temp'
    AS $$
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


--
-- Name: commit_durably(); Type: FUNCTION; Schema: stout; Owner: -
--

CREATE FUNCTION stout.commit_durably() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'stout', 'pg_temp'
    AS $$
BEGIN
    IF current_setting('synchronous_commit') <> 'remote_apply' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
END $$;


--
-- Name: readable_text(bytea); Type: FUNCTION; Schema: stout; Owner: -
--

CREATE FUNCTION stout.readable_text(bytes bytea) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'stout', 'pg_temp'
    AS $$
BEGIN
    IF substr(bytes, 1, 2) = '\x5c78'::bytea THEN
        RETURN bytes::text;
    END IF;
    RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN bytes::text;
END $$;


--
-- Name: sweep(integer, interval); Type: FUNCTION; Schema: stout; Owner: -
--

CREATE FUNCTION stout.sweep(most integer, retention interval, OUT removed integer, OUT finished integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'stout', 'pg_temp'
    AS $$
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


--
-- Name: write_batch(bytea[], bytea[], bytea[], smallint[], bytea[], integer[], bytea[], integer[], bytea[], bytea[], bigint[], uuid[], bytea[]); Type: FUNCTION; Schema: stout; Owner: -
--

CREATE FUNCTION stout.write_batch(keys bytea[], expected bytea[], next bytea[], flags smallint[], own bytea[], removed_places integer[], removed_subkeys bytea[], part_places integer[], subkeys bytea[], part_values bytea[], epochs bigint[], claims uuid[], long_keys bytea[] DEFAULT NULL::bytea[]) RETURNS TABLE(place bigint, stored bytea, stored_epoch bigint, stored_claim uuid, busy boolean)
    LANGUAGE plpgsql
    SET search_path TO 'stout', 'pg_temp'
    AS $$
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


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: epoch_floor; Type: TABLE; Schema: stout; Owner: -
--

CREATE TABLE stout.epoch_floor (
    epoch bigint NOT NULL
);


--
-- Name: garbage; Type: TABLE; Schema: stout; Owner: -
--

CREATE TABLE stout.garbage (
    key bytea NOT NULL,
    generation bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');


--
-- Name: header; Type: TABLE; Schema: stout; Owner: -
--

CREATE TABLE stout.header (
    key bytea NOT NULL,
    stamp bytea NOT NULL,
    epoch bigint,
    claim uuid,
    generation bytea,
    deleted_at timestamp with time zone,
    value bytea,
    long_key bytea
)
WITH (fillfactor='70');


--
-- Name: identity; Type: TABLE; Schema: stout; Owner: -
--

CREATE TABLE stout.identity (
    layout text NOT NULL,
    version integer NOT NULL,
    set_id uuid,
    partition integer,
    partitions integer,
    hash text,
    ready boolean DEFAULT false NOT NULL
);


--
-- Name: part; Type: TABLE; Schema: stout; Owner: -
--

CREATE TABLE stout.part (
    key bytea NOT NULL,
    generation bytea NOT NULL,
    subkey bytea NOT NULL,
    value bytea NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.2', autovacuum_vacuum_cost_delay='0');


--
-- Name: readable; Type: VIEW; Schema: stout; Owner: -
--

CREATE VIEW stout.readable AS
 SELECT stout.readable_text(COALESCE(e.long_key, e.key)) AS key,
    stout.readable_text(e.subkey) AS subkey,
    stout.readable_text(e.value) AS value,
    e.key AS key_bytes,
    e.subkey AS subkey_bytes,
    e.value AS value_bytes
   FROM ( SELECT h.key,
            h.long_key,
            '\x'::bytea AS subkey,
            h.value
           FROM stout.header h
          WHERE (h.value IS NOT NULL)
        UNION ALL
         SELECT h.key,
            h.long_key,
            p.subkey,
            p.value
           FROM (stout.header h
             JOIN stout.part p ON (((p.key = h.key) AND (p.generation = h.generation))))) e;


--
-- Data for Name: epoch_floor; Type: TABLE DATA; Schema: stout; Owner: -
--

INSERT INTO stout.epoch_floor VALUES (0);


--
-- Data for Name: garbage; Type: TABLE DATA; Schema: stout; Owner: -
--

INSERT INTO stout.garbage VALUES ('\x7265706c61636564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000004');
INSERT INTO stout.garbage VALUES ('\x64656c65746564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000006');


--
-- Data for Name: header; Type: TABLE DATA; Schema: stout; Owner: -
--

INSERT INTO stout.header VALUES ('\x706c61696e', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000001', NULL, NULL, NULL, NULL, '\x76616c7565', NULL);
INSERT INTO stout.header VALUES ('\x7061727473', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000003', NULL, NULL, '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000002', NULL, '\x6f776e', NULL);
INSERT INTO stout.header VALUES ('\x7265706c61636564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000005', NULL, NULL, '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000005', NULL, NULL, NULL);
INSERT INTO stout.header VALUES ('\x64656c65746564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000007', NULL, NULL, NULL, '2026-11-28 14:14:44.692717+00', NULL, NULL);
INSERT INTO stout.header VALUES ('\x636c61696d6564', '\x', 7, '0f8fad5b-d9cb-469f-a165-70867728950e', NULL, '2026-11-28 14:14:44.743045+00', NULL, NULL);
INSERT INTO stout.header VALUES ('\x6f776e6564', '\x00000000000000055b6dcd976646437f998c96927f2013e70000000000000008', 5, '0f8fad5b-d9cb-469f-a165-70867728950e', NULL, NULL, '\x6d696e65', NULL);
INSERT INTO stout.header VALUES ('\x6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b7e31376231366438656634393430363066656661333661366134313536376238633332643231336131376530326237656561653836313538636334343935343631', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000009', NULL, NULL, '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000009', NULL, '\x6c6f6e67', '\x6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b');


--
-- Data for Name: identity; Type: TABLE DATA; Schema: stout; Owner: -
--

INSERT INTO stout.identity VALUES ('stout-postgresql', 3, '865e48a8-c98b-41fc-b4ab-2c066c7dc0ce', 0, 1, 'sha256-10', true);


--
-- Data for Name: part; Type: TABLE DATA; Schema: stout; Owner: -
--

INSERT INTO stout.part VALUES ('\x7061727473', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000002', '\x61', '\x31');
INSERT INTO stout.part VALUES ('\x7061727473', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000002', '\xc3a9', '\x33');
INSERT INTO stout.part VALUES ('\x7265706c61636564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000004', '\x61', '\x31');
INSERT INTO stout.part VALUES ('\x7265706c61636564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000005', '\x63', '\x6e6577');
INSERT INTO stout.part VALUES ('\x64656c65746564', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000006', '\x61', '\x31');
INSERT INTO stout.part VALUES ('\x6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b7e31376231366438656634393430363066656661333661366134313536376238633332643231336131376530326237656561653836313538636334343935343631', '\x00000000000000005b6dcd976646437f998c96927f2013e70000000000000009', '\x61', '\x31');


--
-- Name: garbage garbage_pkey; Type: CONSTRAINT; Schema: stout; Owner: -
--

ALTER TABLE ONLY stout.garbage
    ADD CONSTRAINT garbage_pkey PRIMARY KEY (key, generation);


--
-- Name: header header_pkey; Type: CONSTRAINT; Schema: stout; Owner: -
--

ALTER TABLE ONLY stout.header
    ADD CONSTRAINT header_pkey PRIMARY KEY (key);


--
-- Name: part part_pkey; Type: CONSTRAINT; Schema: stout; Owner: -
--

ALTER TABLE ONLY stout.part
    ADD CONSTRAINT part_pkey PRIMARY KEY (key, generation, subkey);


--
-- Name: epoch_floor_has_one_row; Type: INDEX; Schema: stout; Owner: -
--

CREATE UNIQUE INDEX epoch_floor_has_one_row ON stout.epoch_floor USING btree ((true));


--
-- Name: header_deleted; Type: INDEX; Schema: stout; Owner: -
--

CREATE INDEX header_deleted ON stout.header USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: identity_has_one_row; Type: INDEX; Schema: stout; Owner: -
--

CREATE UNIQUE INDEX identity_has_one_row ON stout.identity USING btree ((true));


--
-- PostgreSQL database dump complete
--


