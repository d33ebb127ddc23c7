using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// The promises of <see cref="IStorageProxy"/> and <see cref="IStorePartition"/>, as tests: each test's name states one. A proxy's test project derives a
/// class and implements <see cref="Connect"/>. Tests that the store's <see cref="StorageCapabilities"/> exclude are skipped with the flag's name.
/// </summary>
/// <remarks>Each test has its own store; a test runner may run several classes at once.</remarks>
public abstract partial class StorageProxySpecification
{
    /// <summary>The proxies' clock. It stands still unless a test advances it.</summary>
    protected FakeTimeProvider Time { get; } = new();

    /// <summary>
    /// Creates an unopened proxy for a store of this test alone: empty at the first call, with the same data at later calls. Unless the store is <see
    /// cref="StorageCapabilities.Shared"/>, earlier proxies have been disposed.
    /// </summary>
    /// <param name="time">The proxy's clock.</param>
    protected abstract IStorageProxy Connect(TimeProvider time);

    /// <summary>
    /// Creates a proxy whose store has a kind of error: for instance a port without a listener, wrong credentials, or another program's table. Null
    /// (the default) skips the test of that kind.
    /// </summary>
    /// <param name="trouble">The kind of error that opening or a write must report.</param>
    /// <param name="time">The proxy's clock.</param>
    protected virtual Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time) => Task.FromResult<IStorageProxy?>(null);

    /// <summary>Opens the test's store.</summary>
    protected Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(Connect(Time));

    /// <summary>Opens a second writer: with its own proxy if the store can be shared, otherwise on the same proxy.</summary>
    /// <param name="first">The open client.</param>
    protected async Task<StoreClient> OpenSecondAsync(StoreClient first)
    {
        ArgumentNullException.ThrowIfNull(first);
        return first.Proxy.Capabilities.Shared ? await StoreClient.OpenAsync(Connect(Time), first) : first.AnotherWriter();
    }

    /// <summary>Closes the client and opens the store again with its data.</summary>
    /// <param name="client">The only open client.</param>
    protected async Task<StoreClient> ReopenAsync(StoreClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        if (!client.Proxy.Capabilities.Durable)
            return client;
        await client.DisposeAsync();
        return await StoreClient.OpenAsync(Connect(Time), client);
    }

    /// <summary>Skips the test if the store lacks a capability. The reason for the skip names the capability.</summary>
    protected static void SkipUnless(bool capability, string name) => Assert.SkipUnless(capability, $"The store says that it can't: {name}.");
}
