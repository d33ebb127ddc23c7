using Stout.Hosting;
using Stout.Storage;

namespace Stout.Orleans.Tests.Duplicates;

/// <inheritdoc/>
public sealed class PostgreSqlDuplicates : DuplicateOwners
{
    private readonly string _schema = Servers.NewName();

    /// <inheritdoc/>
    protected override string? Missing => Servers.MissingPostgreSql;

    /// <inheritdoc/>
    protected override void UseStore(StoutBuilder stout) => Servers.UsePostgreSql(stout, _schema);

    /// <inheritdoc/>
    protected override IStorageProxy ConnectLater(TimeProvider time) => Servers.ConnectPostgreSql(_schema, time);

    // The server's clock says how old a header is.
    protected override Task AgeAsync() => Servers.ExecutePostgreSqlAsync($"UPDATE {_schema}.header SET deleted_at = deleted_at - interval '25 hours'");
}
