using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>At most one key that a store can't take, refuses, or can't decode, and long keys whose headers keep other keys.</summary>
internal sealed class TroubledKeys
{
    public string? Held { get; set; }

    public string? Refused { get; set; }

    public string? Damaged { get; set; }

    /// <summary>The keys that the headers of long keys keep, where these are other keys.</summary>
    public Dictionary<string, string> Others { get; } = [];

    public StoreException? OfWrite(PartitionKey key) =>
        key.Text == Held ? new StoreException(StoreErrorKind.Busy, "Held.")
        : key.Text == Refused ? new StoreException(StoreErrorKind.Refused, "Refused.")
        : null;

    public StoreException? OfRead(KeyRead read) =>
        read.Key.Text == Damaged ? new StoreException(StoreErrorKind.Corrupt, "Damaged.")
        : Others.ContainsKey(read.Key.Text) ? LongKeys.Mismatch()
        : read.Key.Text == Held && read.Claim is not null ? new StoreException(StoreErrorKind.Busy, "Held.")
        : null;

    /// <summary>Lets go of the held key.</summary>
    public sealed class Hold(TroubledKeys keys) : IAsyncDisposable
    {
        public ValueTask DisposeAsync()
        {
            keys.Held = null;
            return ValueTask.CompletedTask;
        }
    }
}
