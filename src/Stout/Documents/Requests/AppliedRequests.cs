using System.Collections.Immutable;
using System.Runtime.InteropServices;
using System.Text.Json.Serialization;

namespace Stout.Documents;

/// <summary>
/// The ids of the requests that an object's state includes, as a property of the object. A function that adds a request's id with its change applies the
/// request once, though clients repeat it and others change the object meanwhile.
/// </summary>
/// <remarks>
/// <para>The client makes an id with <see cref="Guid.CreateVersion7()"/>, and repeats the request with the same id. The set is bounded by number and age. It
/// removes the oldest ids, and remembers the newest id that it has ever removed. An id up to that one is in the set, or its state is
/// <see cref="RequestState.Unknown"/>. So the state of an applied request is never <see cref="RequestState.NotDone"/> while the object exists.</para>
/// <para>The value is immutable. Its default is the empty set, which an object gets that was stored without this property. In JSON it is one text, with 22
/// characters for each id.</para>
/// </remarks>
[JsonConverter(typeof(AppliedRequestsConverter))]
public readonly struct AppliedRequests : IEquatable<AppliedRequests>
{
    // In ascending order, which is the order of their times.
    private readonly ImmutableArray<Guid> _ids;

    // The newest id that a bound has removed. At first Guid.Empty, which comes before all others.
    private readonly Guid _removed;

    internal AppliedRequests(Guid removed, ImmutableArray<Guid> ids)
    {
        _removed = removed;
        _ids = ids;
    }

    /// <summary>The number of remembered ids.</summary>
    public int Count => Ids.Length;

    internal Guid Removed => _removed;

    internal ImmutableArray<Guid> Ids => _ids.IsDefault ? [] : _ids;

    /// <summary>Whether two sets are equal.</summary>
    /// <param name="left">A set.</param>
    /// <param name="right">A set.</param>
    public static bool operator ==(AppliedRequests left, AppliedRequests right) => left.Equals(right);

    /// <summary>Whether two sets differ.</summary>
    /// <param name="left">A set.</param>
    /// <param name="right">A set.</param>
    public static bool operator !=(AppliedRequests left, AppliedRequests right) => !left.Equals(right);

    /// <summary>Tells whether the object's state includes a request.</summary>
    /// <param name="request">The request's id, a UUID of version 7.</param>
    /// <param name="now">The present time.</param>
    /// <param name="bounds">The bounds; null for <see cref="RequestBounds.Default"/>.</param>
    /// <exception cref="InvalidRequestIdException">The id is not of version 7, or its time is ahead of <paramref name="now"/>.</exception>
    public RequestState Find(Guid request, DateTimeOffset now, RequestBounds? bounds = null)
    {
        bounds ??= RequestBounds.Default;
        if (Ids.BinarySearch(request) >= 0)
            return RequestState.Done;
        RequestIdTime.Check(request, now, bounds);
        return request <= _removed || RequestIdTime.MillisecondsOf(request) < OldestOf(now, bounds) ? RequestState.Unknown : RequestState.NotDone;
    }

    /// <summary>Adds a request that the new state includes. Ids beyond the bounds are removed, the oldest first.</summary>
    /// <param name="request">The request's id, whose state is <see cref="RequestState.NotDone"/>.</param>
    /// <param name="now">The present time.</param>
    /// <param name="bounds">The bounds; null for <see cref="RequestBounds.Default"/>.</param>
    /// <returns>The new set.</returns>
    /// <exception cref="InvalidRequestIdException">The id is not of version 7, or its time is ahead of <paramref name="now"/>.</exception>
    /// <exception cref="InvalidOperationException">The request is done already, or its state is unknown. It must not be applied.</exception>
    public AppliedRequests Add(Guid request, DateTimeOffset now, RequestBounds? bounds = null)
    {
        bounds ??= RequestBounds.Default;
        if (Find(request, now, bounds) is var state && state != RequestState.NotDone)
            throw new InvalidOperationException($"The state of the request is {state}, so it must not be applied.");
        var ids = Ids.AsSpan();
        var excess = CountExcess(ids, OldestOf(now, bounds), bounds.MaxCount - 1);
        var kept = ids[excess..];
        var place = ~kept.BinarySearch(request);
        var all = new Guid[kept.Length + 1];
        kept[..place].CopyTo(all);
        all[place] = request;
        kept[place..].CopyTo(all.AsSpan(place + 1));
        return new AppliedRequests(excess > 0 && ids[excess - 1] > _removed ? ids[excess - 1] : _removed, ImmutableCollectionsMarshal.AsImmutableArray(all));
    }

    /// <inheritdoc/>
    public bool Equals(AppliedRequests other) => _removed == other._removed && Ids.AsSpan().SequenceEqual(other.Ids.AsSpan());

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AppliedRequests other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_removed, Ids.Length, Ids.IsEmpty ? default : Ids[^1]);

    /// <summary>The number of ids, without the ids themselves.</summary>
    public override string ToString() => $"{Count} requests";

    private static int CountExcess(ReadOnlySpan<Guid> ids, long oldest, int most)
    {
        var excess = Math.Max(0, ids.Length - most);
        while (excess < ids.Length && RequestIdTime.MillisecondsOf(ids[excess]) < oldest)
            excess++;
        return excess;
    }

    /// <summary>The time of the oldest id within the age bound, in milliseconds since 1970.</summary>
    private static long OldestOf(DateTimeOffset now, RequestBounds bounds) => now.ToUnixTimeMilliseconds() - (long)bounds.MaxAge.TotalMilliseconds;
}
