-- The membership of silos in PostgreSQL, for Orleans' ADO.NET clustering. Orleans reads the texts of its queries from OrleansQuery, and
-- prescribes their keys, their parameters and the names of the columns that they return. Tables and statements are this sample's own.
-- A change names the version of the cluster that it was made on, and raises it: of two silos that change at once, one reads again.

-- One silo at a time: CREATE TABLE IF NOT EXISTS can fail beside another one. The lock ends with the transaction, which is this script.
SELECT pg_advisory_xact_lock(5080);

CREATE TABLE IF NOT EXISTS OrleansQuery (QueryKey text PRIMARY KEY, QueryText text NOT NULL);

CREATE TABLE IF NOT EXISTS clusters (id text PRIMARY KEY, version integer NOT NULL);

CREATE TABLE IF NOT EXISTS silos (
    cluster text NOT NULL REFERENCES clusters ON DELETE CASCADE,
    address text NOT NULL,
    port integer NOT NULL,
    generation integer NOT NULL, -- tells the silos apart that have had this address and port, one after the other
    name text NOT NULL,
    host text NOT NULL,
    status integer NOT NULL, -- 3 is active, 6 is dead
    gateway integer NOT NULL,
    suspects text, -- votes for the silo's death, with their times
    started timestamptz NOT NULL,
    alive timestamptz NOT NULL,
    PRIMARY KEY (cluster, address, port, generation)
);

INSERT INTO OrleansQuery VALUES
('InsertMembershipVersionKey', $$
    WITH added AS (INSERT INTO clusters VALUES (@DeploymentId, 0) ON CONFLICT DO NOTHING RETURNING 1)
    SELECT count(*) FROM added
$$),
('InsertMembershipKey', $$
    WITH raised AS (
        UPDATE clusters SET version = version + 1
        WHERE id = @DeploymentId AND version = @Version AND NOT EXISTS (
            SELECT FROM silos WHERE cluster = @DeploymentId AND address = @Address AND port = @Port AND generation = @Generation)
        RETURNING id),
    added AS (
        INSERT INTO silos (cluster, address, port, generation, name, host, status, gateway, started, alive)
        SELECT id, @Address, @Port, @Generation, @SiloName, @HostName, @Status, @ProxyPort, @StartTime, @IAmAliveTime FROM raised
        RETURNING 1)
    SELECT count(*) FROM added
$$),
('UpdateMembershipKey', $$
    WITH raised AS (
        UPDATE clusters SET version = version + 1
        WHERE id = @DeploymentId AND version = @Version AND EXISTS (
            SELECT FROM silos WHERE cluster = @DeploymentId AND address = @Address AND port = @Port AND generation = @Generation)
        RETURNING id),
    changed AS (
        UPDATE silos SET status = @Status, suspects = @SuspectTimes, alive = greatest(alive, @IAmAliveTime)
        FROM raised WHERE cluster = raised.id AND address = @Address AND port = @Port AND generation = @Generation
        RETURNING 1)
    SELECT count(*) FROM changed
$$),
('UpdateIAmAlivetimeKey', $$
    UPDATE silos SET alive = @IAmAliveTime
    WHERE cluster = @DeploymentId AND address = @Address AND port = @Port AND generation = @Generation
$$),
('MembershipReadAllKey', $$
    SELECT id AS DeploymentId, address, port, generation, name AS SiloName, host AS HostName, status, gateway AS ProxyPort,
        suspects AS SuspectTimes, started AS StartTime, alive AS IAmAliveTime, version
    FROM clusters LEFT JOIN silos ON cluster = id
    WHERE id = @DeploymentId
$$),
('MembershipReadRowKey', $$
    SELECT id AS DeploymentId, address, port, generation, name AS SiloName, host AS HostName, status, gateway AS ProxyPort,
        suspects AS SuspectTimes, started AS StartTime, alive AS IAmAliveTime, version
    FROM clusters LEFT JOIN silos ON cluster = id AND address = @Address AND port = @Port AND generation = @Generation
    WHERE id = @DeploymentId
$$),
('GatewaysQueryKey', $$
    SELECT address, gateway AS ProxyPort, generation FROM silos WHERE cluster = @DeploymentId AND status = @Status AND gateway > 0
$$),
('CleanupDefunctSiloEntriesKey', $$
    DELETE FROM silos WHERE cluster = @DeploymentId AND status = 6 AND alive < @IAmAliveTime
$$),
('CleanupDefunctSiloEntryKey', $$
    DELETE FROM silos
    WHERE cluster = @DeploymentId AND address = @Address AND port = @Port AND generation = @Generation AND status = 6
        AND started = @StartTime AND alive = @IAmAliveTime AND suspects IS NOT DISTINCT FROM @SuspectTimes
$$),
('DeleteMembershipTableEntriesKey', $$
    DELETE FROM clusters WHERE id = @DeploymentId
$$)
ON CONFLICT (QueryKey) DO UPDATE SET QueryText = excluded.QueryText;
