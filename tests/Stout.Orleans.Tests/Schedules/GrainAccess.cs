using Stout.Orleans.Storage;

namespace Stout.Orleans.Tests.Schedules;

/// <summary>One activation of a grain, or the code of one silo outside the grain, with the value and the ETag that it has in memory.</summary>
internal sealed class GrainAccess(int silo, string id, IStateKey key)
{
    public int Silo => silo;

    public string Id => id;

    public IStateKey Key => key;

    /// <summary>Whether the access has read or written the state, or has got it from a former activation.</summary>
    public bool HasRead { get; private set; }

    /// <summary>The number of the value in memory; 0 for an absent state.</summary>
    public int Number { get; private set; }

    public string? ETag { get; private set; }

    public void Know(int number, string? etag) => (HasRead, Number, ETag) = (true, number, etag);
}
