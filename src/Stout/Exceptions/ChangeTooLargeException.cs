namespace Stout;

/// <summary>One change of a key exceeds the limits of one store request. Make it smaller, or split the object into parts.</summary>
public sealed class ChangeTooLargeException : NotAppliedException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="size">The change's size, in the unit of <paramref name="kind"/>.</param>
    /// <param name="limit">The store's limit, in the same unit.</param>
    /// <param name="kind">The limit that the change exceeds.</param>
    public ChangeTooLargeException(PartitionKey key, long size, long limit, ChangeLimit kind)
        : base(key, NotAppliedReason.TooLarge, $"The change was not applied: {Subject(kind)} {size}, and the store allows {limit}.")
    {
        Size = size;
        Limit = limit;
        Kind = kind;
    }

    /// <summary>The change's size, in the unit of <see cref="Kind"/>.</summary>
    public long Size { get; }

    /// <summary>The store's limit, in the same unit.</summary>
    public long Limit { get; }

    /// <summary>The exceeded limit.</summary>
    public ChangeLimit Kind { get; }

    private static string Subject(ChangeLimit kind) => kind switch
    {
        ChangeLimit.ValueBytes => "the bytes of its largest part are",
        ChangeLimit.ChangeSetBytes => "its bytes are",
        _ => "its parts are",
    };
}
