using Stout.Hosting;

namespace Stout.Orleans.Tests.Duplicates;

/// <inheritdoc/>
public sealed class PostgreSqlDuplicates : DuplicateOwners
{
    private readonly string _schema = Servers.NewName();

    /// <inheritdoc/>
    protected override string? Missing => Servers.MissingPostgreSql;

    /// <inheritdoc/>
    protected override void UseStore(StoutBuilder stout) => Servers.UsePostgreSql(stout, _schema);
}
