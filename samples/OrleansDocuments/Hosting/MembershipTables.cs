using Npgsql;

namespace OrleansDocuments.Hosting;

/// <summary>Creates the tables of the cluster's membership if they are missing. In production an administrator does that.</summary>
internal sealed class MembershipTables(string database) : IHostedService
{
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        using var script = new StreamReader(typeof(MembershipTables).Assembly.GetManifestResourceStream("membership.sql")!);
        await using var source = NpgsqlDataSource.Create(database);
        await using var command = source.CreateCommand(await script.ReadToEndAsync(cancellationToken));
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
