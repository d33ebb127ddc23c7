using Stout.Storage;
using Stout.Testing;

namespace Stout.SqlServer.Tests;

/// <summary>One database keeps the promises.</summary>
public class SqlServerSpecification : StorageProxySpecification, IAsyncLifetime
{
    private readonly ServerSchema _schema = new();

    private protected virtual SqlServerOptions Options => _schema.Options;

    // The machine that the server is on may be slow; a run of the suite's length is a test of its own.
    protected override int RandomOperations => 3_000;

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public virtual async ValueTask DisposeAsync()
    {
        await _schema.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    protected override IStorageProxy Connect(TimeProvider time) => new SqlServerStorage(Options, time);
}
