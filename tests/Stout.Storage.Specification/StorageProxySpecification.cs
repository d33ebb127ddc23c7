namespace Stout.Storage.Specification;

/// <summary>
/// What every storage proxy promises. A proxy's own tests derive from this class; what its capabilities exclude is skipped by name.
/// </summary>
public abstract partial class StorageProxySpecification
{
    /// <summary>The time that the proxy is given.</summary>
    protected ManualTime Time { get; } = new();

    /// <summary>
    /// Makes a proxy that has not been opened, for a store of this test alone: empty at the first call, and the same data at every
    /// later one. The proxies of earlier calls have been disposed of.
    /// </summary>
    protected abstract IStorageProxy Connect(TimeProvider time);

    protected Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(Connect(Time));

    /// <summary>Closes the client and opens the store again, where it keeps its data.</summary>
    protected async Task<StoreClient> ReopenAsync(StoreClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        if (!client.Proxy.Capabilities.Durable)
            return client;
        await client.DisposeAsync();
        return await OpenAsync();
    }

    protected static void SkipUnless(bool capability, string name) => Assert.SkipUnless(capability, $"The store says that it can't: {name}.");
}
