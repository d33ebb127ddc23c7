using Stout.Hosting;
using Stout.Storage;

namespace Stout.Orleans.Tests.Duplicates;

/// <inheritdoc/>
public sealed class InMemoryDuplicates : DuplicateOwners, IAsyncDisposable
{
    private readonly InMemoryStore _store = new();

    /// <inheritdoc/>
    protected override void UseStore(StoutBuilder stout) => stout.UseStore(_ => _store.Connect());

    public ValueTask DisposeAsync() => _store.DisposeAsync();
}
