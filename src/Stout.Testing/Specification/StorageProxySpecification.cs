using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// What every storage proxy promises, as tests. A proxy's own tests derive a class from this one and say how to
/// <see cref="Connect"/>; what the store's <see cref="StorageCapabilities"/> exclude is skipped, with the flag's name.
/// </summary>
/// <remarks>Each test has a store of its own and needs no other; a test runner may run several classes at once.</remarks>
public abstract partial class StorageProxySpecification
{
    /// <summary>The time that the proxies are given. It stands still unless a test moves it.</summary>
    protected FakeTimeProvider Time { get; } = new();

    /// <summary>
    /// Makes a proxy that has not been opened, for a store of this test alone: empty at the first call, and the same data at every
    /// later one. Unless the store is <see cref="StorageCapabilities.Shared"/>, the proxies of earlier calls have been disposed of.
    /// </summary>
    /// <param name="time">The time that the proxy has to go by.</param>
    protected abstract IStorageProxy Connect(TimeProvider time);

    /// <summary>
    /// Makes a proxy whose store is in trouble of a kind: a port without a listener, wrong credentials, a table of another program.
    /// Null (the default) skips the test of that kind.
    /// </summary>
    /// <param name="trouble">What the proxy has to report, from opening it or from a write.</param>
    /// <param name="time">The time that the proxy has to go by.</param>
    protected virtual Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time) => Task.FromResult<IStorageProxy?>(null);

    /// <summary>Opens the test's store.</summary>
    protected Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(Connect(Time));

    /// <summary>A second writer: with a proxy of its own where the store can be shared, else behind the same proxy.</summary>
    /// <param name="first">The client that is open.</param>
    protected async Task<StoreClient> OpenSecondAsync(StoreClient first)
    {
        ArgumentNullException.ThrowIfNull(first);
        return first.Proxy.Capabilities.Shared ? await StoreClient.OpenAsync(Connect(Time), first) : first.AnotherWriter();
    }

    /// <summary>Closes the client and opens the store again, where it keeps its data.</summary>
    /// <param name="client">The only client that is open.</param>
    protected async Task<StoreClient> ReopenAsync(StoreClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        if (!client.Proxy.Capabilities.Durable)
            return client;
        await client.DisposeAsync();
        return await StoreClient.OpenAsync(Connect(Time), client);
    }

    /// <summary>Skips the test, by the name of a capability, if the store does not have it.</summary>
    protected static void SkipUnless(bool capability, string name) => Assert.SkipUnless(capability, $"The store says that it can't: {name}.");
}
