using System.Runtime.CompilerServices;
using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>The client's calls for ownership, made of fills with growing epochs.</summary>
internal static class OwnershipSeam
{
    private static long _lastEpoch;

    extension(StoutClient client)
    {
        public ValueTask<KeyHandle> ClaimAsync(PartitionKey key, long atLeastEpoch = 0, CancellationToken cancellationToken = default) =>
            client.FillAsync(key, Math.Max(NextEpoch(), atLeastEpoch), cancellationToken);

        public async ValueTask<KeyHandle> RefreshAsync(KeyHandle handle, CancellationToken cancellationToken = default)
        {
            await handle.CloseWhenDrainedAsync(cancellationToken).ConfigureAwait(false);
            return await client.FillAsync(handle.Key, handle.Epoch, cancellationToken).ConfigureAwait(false);
        }

        public ValueTask<KeyHandle> OpenAtAsync(PartitionKey key, KeyOwner owner, Stamp version, CancellationToken cancellationToken = default) =>
            client.FillAsync(key, NextEpoch(), cancellationToken);
    }

    extension(KeyHandle handle)
    {
        public Stamp Version => Stored(handle);

        public KeyOwner Owner => new(handle.Epoch);

        public async ValueTask CloseWhenDrainedAsync(CancellationToken cancellationToken = default)
        {
            while (!await handle.TryCloseAsync().ConfigureAwait(false))
                await handle.WhenSafeAsync(cancellationToken).ConfigureAwait(false);
        }

        public ValueTask ConfirmAsync(CancellationToken cancellationToken = default) => handle.WhenSafeAsync(cancellationToken);
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Stored")]
    private static extern Stamp Stored(KeyHandle handle);

    private static long NextEpoch() => Interlocked.Increment(ref _lastEpoch) + 1_000_000;
}
