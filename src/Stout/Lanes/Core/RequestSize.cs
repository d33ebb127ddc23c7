namespace Stout.Lanes.Core;

/// <summary>
/// Bounds the keys of one request by recent failures. A time-out or a refusal of the whole request halves the size. Answered full requests double the
/// limit up to half of the size that failed, and raise it slowly beyond.
/// </summary>
/// <remarks>
/// The limit applies besides the law's and the store's limits. A failed request of a single key says nothing about size, so the limit may then double
/// without that bound. After an outage the limit recovers within a few requests.
/// </remarks>
internal sealed class RequestSize
{
    // Above half of the size that failed, each full request that is answered adds a sixteenth. A size that failed is thus retried at most once in 12
    // requests.
    private const int SlowGrowth = 16;

    // A request of unknown outcome is repeated in requests of a 64th of its keys. The second time-out thus isolates one key among up to 4,096.
    private const int MostPieces = 64;

    private int _doubleUpTo = int.MaxValue;

    /// <summary>The most keys of one request; at least 1.</summary>
    public int Keys { get; private set; } = int.MaxValue;

    /// <summary>The keys of each repeat of a request with an unknown outcome: a 64th, rounded down, but at least one key.</summary>
    public static int PieceOf(int keys) => Math.Max(1, keys / MostPieces);

    /// <summary>Records a request that timed out, exceeded a limit of the store, or was refused for overload as a whole.</summary>
    /// <param name="keys">The number of its keys.</param>
    public void Failed(int keys)
    {
        if (keys <= 1)
        {
            _doubleUpTo = int.MaxValue;
            return;
        }

        // Requests in flight together fail together. Each sets the limit to half of its own size, so together they halve the limit once.
        _doubleUpTo = keys / 2;
        Keys = Math.Min(Keys, _doubleUpTo);
    }

    /// <summary>Records an answered request.</summary>
    /// <param name="keys">The number of its keys.</param>
    public void Answered(int keys)
    {
        if (keys < Keys)
            return;
        var next = Keys < _doubleUpTo ? Math.Min(2L * Keys, _doubleUpTo) : Keys + Math.Max(1L, Keys / SlowGrowth);
        Keys = (int)Math.Min(next, int.MaxValue);
    }
}
