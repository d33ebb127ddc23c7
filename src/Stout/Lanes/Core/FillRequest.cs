using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>One caller's request for a fill.</summary>
internal class FillRequest(PartitionKey key, FillKind kind = FillKind.Shared)
{
    public PartitionKey Key { get; } = key;

    public FillKind Kind { get; } = kind;

    /// <summary>The claim of a <see cref="FillKind.Claim"/> or <see cref="FillKind.TakeOver"/>; otherwise null.</summary>
    public KeyClaim? Claim { get; init; }

    /// <summary>The owner that a <see cref="FillKind.Refresh"/> has to find.</summary>
    public KeyOwner Owner { get; init; }

    /// <summary>The fill that the request has joined; null before it, and for a request that needs no fill.</summary>
    public KeyFill? Fill { get; set; }

    /// <summary>The result, which the core sets before it has the request completed; null for a failure.</summary>
    public OpenedKey? Opened { get; set; }

    /// <summary>Whether the caller has stopped waiting, and takes no result.</summary>
    public bool IsCancelled { get; set; }
}

/// <summary>How a key is filled.</summary>
internal enum FillKind : byte
{
    /// <summary>Without a claim. An open handle of any owner serves the request without a read.</summary>
    Shared,

    /// <summary>Opened as absent, without a claim and without a read.</summary>
    Absent,

    /// <summary>Under a new claim.</summary>
    Claim,

    /// <summary>Under a new claim, if the store holds the header that the claim names. The parts are not read, and no callback is called.</summary>
    TakeOver,

    /// <summary>Read anew under the claim of an earlier handle.</summary>
    Refresh,
}
