using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// A store over a network that the comparison writes in two ways: through Stout's proxy, and by hand-written requests of the store's own client.
/// </summary>
internal interface IComparedStore : IAsyncDisposable
{
    /// <summary>The store's name.</summary>
    string Name { get; }

    /// <summary>A proxy on an empty store of this run, with one store partition.</summary>
    IStorageProxy Connect();

    /// <summary>Creates the table and the connections for plain writes by a number of concurrent writers.</summary>
    Task PreparePlainAsync(int writers);

    /// <summary>Makes one durable write in one request.</summary>
    Task WritePlainAsync(string key, ReadOnlyMemory<byte> value);

    /// <summary>Whether the store answers now.</summary>
    Task<bool> AnswersAsync();
}
