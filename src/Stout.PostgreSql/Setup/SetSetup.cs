using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Makes databases a set if they are none, and refuses what is not one whole set.</summary>
/// <remarks>
/// A crash at any moment leaves what the next start can use, and several clients may start at once. Each database joins the set of the
/// first one; when all have, each is told that the set is ready. So as long as no database is ready, nothing has been stored, and
/// what is missing joins; once one is ready, none may be missing.
/// </remarks>
internal sealed class SetSetup(IReadOnlyList<NpgsqlDataSource> sources, PostgreSqlOptions options)
{
    /// <exception cref="StoreException">The databases are not one whole set, or can't be used.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var connections = new List<NpgsqlConnection>();
        try
        {
            foreach (var source in sources)
                connections.Add(await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false));
            await RunAsync(connections, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            foreach (var connection in connections)
                await connection.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task RunAsync(List<NpgsqlConnection> connections, CancellationToken cancellationToken)
    {
        var found = new List<Identity>();
        foreach (var connection in connections)
        {
            await ServerCheck.CheckServerAsync(connection, options, cancellationToken).ConfigureAwait(false);
            await SchemaScript.EnsureAsync(connection, options, cancellationToken).ConfigureAwait(false);
            await ServerCheck.CheckTablesAsync(connection, options, cancellationToken).ConfigureAwait(false);
            found.Add(await Identity.ReadAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false));
        }

        // A database that is ready was told so after all had joined; one that was asked before that is asked again.
        for (var i = 0; i < found.Count && found.Exists(static identity => identity.IsReady); i++)
        {
            if (found[i].SetId is null)
                found[i] = await Identity.ReadAsync(connections[i], options.Schema, cancellationToken).ConfigureAwait(false);
        }

        if (found.Exists(static identity => identity.IsReady) && found.FindIndex(static identity => identity.SetId is null) is var missing and >= 0)
            throw Foreign($"Partition {missing} is missing from its set of {found.Count}: its database is empty");
        var setId = found.Find(static identity => identity.SetId is not null)?.SetId ?? Guid.NewGuid();
        for (var i = 0; i < connections.Count; i++)
        {
            if (found[i].SetId is null)
            {
                await new Identity(setId, i, connections.Count, IsReady: false).JoinAsync(connections[i], options.Schema, cancellationToken).ConfigureAwait(false);
                found[i] = await Identity.ReadAsync(connections[i], options.Schema, cancellationToken).ConfigureAwait(false);
            }

            // Another client may have been faster; then its set is the one.
            if (i == 0)
                setId = found[0].SetId!.Value;
            Check(found[i], i, setId, connections.Count);
        }

        for (var i = 0; i < connections.Count; i++)
        {
            if (!found[i].IsReady)
                await Identity.SayReadyAsync(connections[i], options.Schema, cancellationToken).ConfigureAwait(false);
        }
    }

    private static void Check(Identity found, int partition, Guid setId, int partitions)
    {
        if (found.Partitions != partitions)
            throw Foreign($"Database {partition} belongs to a set of {found.Partitions} partitions; the options name {partitions}");
        if (found.Partition != partition)
            throw Foreign($"Database {partition} is partition {found.Partition} of its set");
        if (found.SetId != setId)
            throw Foreign($"Database {partition} belongs to another set than the first one");
    }

    private static StoreException Foreign(string what) => new(StoreErrorKind.Foreign, what + ".");
}
