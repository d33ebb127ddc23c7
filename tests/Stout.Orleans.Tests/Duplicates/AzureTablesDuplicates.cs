using Stout.Hosting;
using Stout.Storage;

namespace Stout.Orleans.Tests.Duplicates;

/// <inheritdoc/>
public sealed class AzureTablesDuplicates : DuplicateOwners
{
    private readonly string _table = Servers.NewName();

    /// <inheritdoc/>
    protected override string? Missing => Servers.MissingAzureTables;

    /// <inheritdoc/>
    protected override void UseStore(StoutBuilder stout) => Servers.UseAzureTables(stout, _table);

    /// <inheritdoc/>
    protected override IStorageProxy ConnectLater(TimeProvider time) => Servers.ConnectAzureTables(_table, time);
}
