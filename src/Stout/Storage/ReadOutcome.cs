namespace Stout.Storage;

/// <summary>The outcome of reading one key.</summary>
public readonly record struct ReadOutcome
{
    /// <summary>The kind of outcome.</summary>
    public ReadOutcomeKind Kind { get; private init; }

    /// <summary>The key's version: the stamp of its last write (of a deletion too), or <see cref="Stamp.Absent"/>.</summary>
    public Stamp Version { get; private init; }

    /// <summary>The key's owner. After a claim, the owner that the claim has made; after a fenced claim, the owner that the store holds.</summary>
    public KeyOwner Owner { get; private init; }

    /// <summary>Version and owner.</summary>
    public KeyHeader Header => new(Version, Owner);

    /// <summary>The proxy's token for the next write with this stamp, or null.</summary>
    public object? Token { get; private init; }

    /// <summary>Whether the key exists: it was written, and not deleted since.</summary>
    public bool Exists { get; private init; }

    /// <summary>The parts of a key that exists; empty where the read asked for the header alone. The bytes belong to the reader, and stay valid.</summary>
    public IReadOnlyList<StoredPart> Parts { get => field ?? []; private init; }

    /// <summary>The error, or null.</summary>
    public Exception? Error { get; private init; }

    /// <summary>For overload and busy keys: the delay that the store asked for, or null.</summary>
    public TimeSpan? RetryAfter { get; private init; }

    /// <summary>The key exists.</summary>
    public static ReadOutcome Found(Stamp version, IReadOnlyList<StoredPart> parts, object? token = null, KeyOwner owner = default) =>
        new() { Kind = ReadOutcomeKind.Read, Exists = true, Version = version, Owner = owner, Parts = parts, Token = token };

    /// <summary>The key does not exist: never written (<see cref="Stamp.Absent"/>), or deleted (the stamp of the deletion).</summary>
    public static ReadOutcome NotFound(Stamp version, object? token = null, KeyOwner owner = default) =>
        new() { Kind = ReadOutcomeKind.Read, Version = version, Owner = owner, Token = token };

    /// <summary>The claim was refused, or another claim came before the parts were read.</summary>
    /// <param name="stored">The header that the store holds; the default if it does not have the key.</param>
    public static ReadOutcome FencedBy(in KeyHeader stored) =>
        new() { Kind = ReadOutcomeKind.Fenced, Version = stored.Version, Owner = stored.Owner };

    /// <summary>
    /// Converts an exception of the proxy to an outcome. An object that did not fit into memory is refused, since another attempt would need as much
    /// memory.
    /// </summary>
    public static ReadOutcome Of(Exception error)
    {
        if (error is OutOfMemoryException)
            error = new StoreException(StoreErrorKind.Refused, "The object does not fit into the memory that is left.", error);
        var store = error as StoreException;
        return new ReadOutcome
        {
            Kind = store is not null ? (ReadOutcomeKind)WriteOutcome.KindOf(store.Kind)
                : error is ObjectTooLargeException ? ReadOutcomeKind.Refused
                : ReadOutcomeKind.Unknown,
            Error = error,
            RetryAfter = store?.RetryAfter,
        };
    }
}
