using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>A store over a network, as the comparison sees it: Stout's proxy, and what one would write by hand with the store's own client.</summary>
internal interface IComparedStore : IAsyncDisposable
{
    /// <summary>The store's name.</summary>
    string Name { get; }

    /// <summary>A proxy on an empty store of this run, with one store partition.</summary>
    IStorageProxy Connect();

    /// <summary>Makes what the plain writes need, for so many writers at once.</summary>
    Task PreparePlainAsync(int writers);

    /// <summary>One durable write, one request.</summary>
    Task WritePlainAsync(string key, ReadOnlyMemory<byte> value);

    /// <summary>Whether the store answers now.</summary>
    Task<bool> AnswersAsync();
}
