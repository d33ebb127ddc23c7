namespace Stout.Documents;

/// <summary>Bounds on the ids in <see cref="AppliedRequests"/>. All processes that write a collection should use the same bounds.</summary>
public sealed record RequestBounds
{
    /// <summary>The most ids that the bounds allow.</summary>
    private const int Most = 10_000;

    /// <summary>The bounds without other settings.</summary>
    public static RequestBounds Default { get; } = new();

    /// <summary>
    /// The number of ids that an object remembers. 1 to 10,000. Default: 128, which take 2.8 KB in JSON. Choose more than one object has changes in the time in
    /// which a client repeats a request.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of the range.</exception>
    public int MaxCount
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Most);
            field = value;
        }
    } = 128;

    /// <summary>The age up to which ids are remembered. More than 0. Default: 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of the range.</exception>
    public TimeSpan MaxAge
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero);
            field = value;
        }
    } = TimeSpan.FromDays(1);

    /// <summary>
    /// How far the time of a new id may lie ahead of the caller's clock. An id farther ahead is refused, since it would stay longer than others. 0 or more.
    /// Default: 5 minutes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of the range.</exception>
    public TimeSpan MaxClockSkew
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            field = value;
        }
    } = TimeSpan.FromMinutes(5);
}
