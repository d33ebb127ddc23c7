using Stout.Storage;

namespace Stout;

/// <summary>
/// Stout's base layer, with the paper's calls (section 4.4): fills keys from a store and makes their changes durable in batches.
/// The typed layer (<see cref="Documents"/>) stands on it and is easier to use.
/// </summary>
public sealed class StoutClient : IAsyncDisposable
{
    private StoutClient()
    {
    }

    /// <summary>Opens the store and starts a lane for each of its partitions.</summary>
    /// <param name="store">The store's proxy; owned by the client from now on, and disposed with it.</param>
    /// <param name="application">The application's callbacks.</param>
    /// <param name="options">How to behave; null for the defaults.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Stops the opening.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    /// <exception cref="StoreException">The store can't be used.</exception>
    public static ValueTask<StoutClient> OpenAsync(
        IStorageProxy store,
        IStoutApplication application,
        StoutOptions? options = null,
        TimeProvider? timeProvider = null,
        CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>What the store can take at once.</summary>
    public StorageLimits Limits => throw new InvalidOperationException();

    /// <summary>
    /// Stout.Fill: reads a key, has the application make its object (<see cref="IStoutApplication.DeserializeAsync"/>), and returns
    /// a handle on it. One read and one handle, however many ask; a key that is filled already is not read again.
    /// </summary>
    /// <param name="key">The key. One that the store does not have is filled as absent.</param>
    /// <param name="epoch">The number of the caller's ownership; 0 without leases. A larger one than the open handle's fences that handle.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <exception cref="FillFailedException">The key could not be read, or its object could not be made.</exception>
    /// <exception cref="FencedException">A newer owner has claimed the key.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask<KeyHandle> FillAsync(PartitionKey key, long epoch = 0, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>
    /// Opens a key that the caller knows to be new, without a read and without a Deserialize callback. Should it exist after all,
    /// its first write fails with <see cref="ConflictException"/>. A key that is filled or being filled already is filled.
    /// </summary>
    /// <inheritdoc cref="FillAsync" path="/exception"/>
    public ValueTask<KeyHandle> OpenAsAbsentAsync(PartitionKey key, long epoch = 0, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>
    /// Call before a change of a key: completes at once while little is undurable, otherwise waits or fails as
    /// <see cref="StoutOptions.WhenOverloaded"/> says.
    /// </summary>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask AdmitAsync(PartitionKey key, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>What has happened since the client was opened, and how it is now.</summary>
    public StoutStatistics GetStatistics() => throw new InvalidOperationException();

    /// <summary>
    /// Drains: takes no more fills, sends everything dirty, and completes once every message is released.
    /// </summary>
    /// <param name="cancellationToken">When it fires, what was sent fails as unknown, everything else as not applied.</param>
    public Task StopAsync(CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>Drains and closes the store.</summary>
    public ValueTask DisposeAsync() => throw new InvalidOperationException();
}
