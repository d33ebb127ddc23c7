using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>The keys in trouble: at most one each that is held, refused or damaged, and long keys whose headers contain other keys.</summary>
internal sealed class TroubledKeys
{
    public string? Held { get; set; }

    public string? Refused { get; set; }

    public string? Damaged { get; set; }

    /// <summary>Long keys whose headers contain another key, each with that other key.</summary>
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

    /// <summary>Releases the held key at its disposal.</summary>
    public sealed class Hold(TroubledKeys keys) : IAsyncDisposable
    {
        public ValueTask DisposeAsync()
        {
            keys.Held = null;
            return ValueTask.CompletedTask;
        }
    }
}
