using Stout.Storage;

namespace Stout.Documents;

/// <summary>Options of a collection: whether other processes write its objects as well or take them over, and when its objects expire.</summary>
/// <typeparam name="T">The type of the objects' parts.</typeparam>
public sealed record CollectionOptions<T>
    where T : class
{
    private static readonly TimeSpan OneDay = TimeSpan.FromDays(1);

    /// <summary>
    /// How a change reacts if another process has written the object since this process read it. Default: <see cref="OnConflict.Fail"/>, since a key
    /// should have one owner.
    /// </summary>
    public OnConflict OnConflict { get; set; }

    /// <summary>
    /// Where the answer to a call that changes nothing comes from. Default: null, which means <see cref="Freshness.Store"/> with <see
    /// cref="OnConflict.Retry"/>, else <see cref="Freshness.Memory"/>.
    /// </summary>
    public Freshness? Freshness { get; set; }

    /// <summary>Whether reading an object into memory claims its key. Default: <see cref="Ownership.None"/>.</summary>
    public Ownership Ownership { get; set; }

    /// <summary>
    /// With <see cref="OnConflict.Retry"/>: the number of conflicts after which a call fails with <see cref="ConflictException"/>. 1 to 1,000; 50 by
    /// default.
    /// </summary>
    public int MaxConflicts { get; set; } = 50;

    /// <summary>
    /// Tells from an object's own value when the object expires; null means never. From that time on, calls see the object and all its parts as absent.
    /// An object without an own value does not expire. Default: null, and no object expires.
    /// </summary>
    /// <remarks>
    /// The result has to depend on the value alone, since it is kept with the value. If the function throws for a new value, the change fails with
    /// <see cref="PartSerializationException"/>; if it throws for a stored value, the object does not expire.
    /// </remarks>
    public Func<T, DateTimeOffset?>? ExpiresAt { get; set; }

    /// <summary>
    /// The largest difference between the clocks of the processes. The sweep deletes an object only when it has been expired for this time. 0 to 1 day; 5
    /// minutes by default.
    /// </summary>
    public TimeSpan MaxClockSkew { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The time from the end of an expiry sweep to the start of the next: 1 second to 1 day, 1 hour by default. Null: this process does not sweep. A sweep
    /// lists the collection in the store, and reads every object that is not in memory.
    /// </summary>
    public TimeSpan? SweepInterval { get; set; } = TimeSpan.FromHours(1);

    internal Freshness EffectiveFreshness =>
        Freshness ?? (OnConflict == OnConflict.Retry ? Documents.Freshness.Store : Documents.Freshness.Memory);

    internal bool Sweeps => ExpiresAt is not null && SweepInterval is not null;

    /// <param name="store">The store's capabilities.</param>
    internal void Validate(StorageCapabilities store)
    {
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxConflicts), MaxConflicts, 1, 1_000);
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxClockSkew), MaxClockSkew, TimeSpan.Zero, OneDay);
        if (SweepInterval is { } interval)
            InvalidOptionException.ThrowUnlessBetween(nameof(SweepInterval), interval, TimeSpan.FromSeconds(1), OneDay);
        if (!Enum.IsDefined(OnConflict))
            throw new InvalidOptionException(nameof(OnConflict), $"it must be one of {string.Join(", ", Enum.GetNames<OnConflict>())}");
        if (Freshness is { } freshness && !Enum.IsDefined(freshness))
            throw new InvalidOptionException(nameof(Freshness), $"it must be one of {string.Join(", ", Enum.GetNames<Freshness>())}");
        if (!Enum.IsDefined(Ownership))
            throw new InvalidOptionException(nameof(Ownership), $"it must be one of {string.Join(", ", Enum.GetNames<Ownership>())}");
        if (Ownership == Ownership.Claim && OnConflict == OnConflict.Retry)
            throw new InvalidOptionException(nameof(Ownership), $"{nameof(Ownership.Claim)} is for objects with one owner, and {nameof(OnConflict)}.{nameof(OnConflict.Retry)} for objects without");
        if (Ownership == Ownership.Claim && !store.Claims)
            throw new InvalidOptionException(nameof(Ownership), "the store can't claim keys");
    }
}
