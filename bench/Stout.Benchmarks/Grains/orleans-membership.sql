-- Segments of journals: see JournalTable.
CREATE TABLE journals
(
    id text NOT NULL,
    sequence integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (id, sequence)
);

-- The tables and queries by which Orleans' ADO.NET clustering keeps its membership. The provider gives the names of queries, parameters and columns.
CREATE TABLE clusters
(
    id text PRIMARY KEY,
    version integer NOT NULL DEFAULT 0
);

CREATE TABLE silos
(
    cluster text NOT NULL REFERENCES clusters,
    address text NOT NULL,
    port integer NOT NULL,
    generation integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    status integer NOT NULL,
    gateway integer,
    suspicions text,
    started timestamptz NOT NULL,
    alive timestamptz NOT NULL,
    PRIMARY KEY (cluster, address, port, generation)
);

INSERT INTO OrleansQuery (QueryKey, QueryText) VALUES
('InsertMembershipVersionKey', '
    WITH added AS (INSERT INTO clusters (id) VALUES (@DeploymentId) ON CONFLICT DO NOTHING RETURNING 1)
    SELECT count(*)::integer FROM added'),
('InsertMembershipKey', '
    WITH raised AS (UPDATE clusters SET version = version + 1 WHERE id = @DeploymentId AND version = @Version RETURNING 1),
    added AS (
        INSERT INTO silos (cluster, address, port, generation, name, host, status, gateway, started, alive)
        SELECT @DeploymentId, @Address, @Port, @Generation, @SiloName, @HostName, @Status, @ProxyPort, @StartTime, @IAmAliveTime FROM raised
        ON CONFLICT DO NOTHING RETURNING 1)
    SELECT count(*)::integer FROM added'),
('UpdateMembershipKey', '
    WITH raised AS (UPDATE clusters SET version = version + 1 WHERE id = @DeploymentId AND version = @Version RETURNING 1),
    changed AS (
        UPDATE silos SET status = @Status, suspicions = @SuspectTimes, alive = @IAmAliveTime FROM raised
        WHERE cluster = @DeploymentId AND address = @Address AND port = @Port AND generation = @Generation RETURNING 1)
    SELECT count(*)::integer FROM changed'),
('UpdateIAmAlivetimeKey', '
    UPDATE silos SET alive = @IAmAliveTime WHERE cluster = @DeploymentId AND address = @Address AND port = @Port AND generation = @Generation'),
('MembershipReadRowKey', '
    SELECT id AS DeploymentId, address AS Address, port AS Port, generation AS Generation, name AS SiloName, host AS HostName, status AS Status,
        gateway AS ProxyPort, suspicions AS SuspectTimes, started AS StartTime, alive AS IAmAliveTime, version AS Version
    FROM clusters LEFT JOIN silos ON cluster = id AND address = @Address AND port = @Port AND generation = @Generation
    WHERE id = @DeploymentId'),
('MembershipReadAllKey', '
    SELECT id AS DeploymentId, address AS Address, port AS Port, generation AS Generation, name AS SiloName, host AS HostName, status AS Status,
        gateway AS ProxyPort, suspicions AS SuspectTimes, started AS StartTime, alive AS IAmAliveTime, version AS Version
    FROM clusters LEFT JOIN silos ON cluster = id
    WHERE id = @DeploymentId'),
('GatewaysQueryKey', '
    SELECT address AS Address, gateway AS ProxyPort, generation AS Generation FROM silos
    WHERE cluster = @DeploymentId AND status = @Status AND gateway > 0'),
('CleanupDefunctSiloEntriesKey', '
    DELETE FROM silos WHERE cluster = @DeploymentId AND alive < @IAmAliveTime AND status <> 3'),
('DeleteMembershipTableEntriesKey', '
    WITH gone AS (DELETE FROM silos WHERE cluster = @DeploymentId) DELETE FROM clusters WHERE id = @DeploymentId');
