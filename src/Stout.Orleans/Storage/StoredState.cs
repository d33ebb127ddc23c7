using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>A state as it was read, or as it is to be written.</summary>
/// <param name="Kind">The kind of the state.</param>
/// <param name="Bytes">The serialized value; empty for a kind without a value.</param>
internal readonly record struct StoredState(StateKind Kind, ReadOnlyMemory<byte> Bytes = default)
{
    /// <summary>The part that marks a cleared state. The names of all other parts never begin with '$'.</summary>
    public static readonly SubKey ClearedMark = new("$cleared");

    /// <summary>The part that marks a value whose record in the former storage may not be fenced yet.</summary>
    public static readonly SubKey CopiedMark = new("$copied");

    public static StoredState Cleared => new(StateKind.Cleared);

    public static StoredState Absent => new(StateKind.Absent);

    /// <summary>Whether the state has a value.</summary>
    public bool HasValue => Kind is StateKind.Value or StateKind.Copied;

    /// <summary>The part that marks a kind; null for a kind without a mark.</summary>
    public static SubKey? MarkOf(StateKind kind) => kind switch
    {
        StateKind.Cleared => ClearedMark,
        StateKind.Copied => CopiedMark,
        _ => null,
    };

    /// <summary>The kind of an object, as its parts tell: an object without a mark is a value.</summary>
    public static StateKind KindOf(IReadOnlyList<StoredPart> parts)
    {
        foreach (var part in parts)
        {
            if (part.SubKey == ClearedMark)
                return StateKind.Cleared;
            if (part.SubKey == CopiedMark)
                return StateKind.Copied;
        }

        return StateKind.Value;
    }

    /// <summary>Reads a key that was opened.</summary>
    /// <param name="opened">The key, which was read.</param>
    /// <param name="state">The state; absent if the parts are not those of a grain's state.</param>
    /// <returns>Whether the parts are those of a state.</returns>
    public static bool TryRead(OpenedKey opened, out StoredState state) => opened switch
    {
        OpenedKey.Read read => TryRead(exists: true, read.Parts, out state),
        OpenedKey.Absent => TryRead(exists: false, [], out state),
        _ => throw new ArgumentException("The key was not read.", nameof(opened)),
    };

    /// <summary>
    /// The change of a key to this state. When a state becomes another kind, the object is replaced, so that no part of the former kind remains.
    /// </summary>
    /// <param name="former">The kind of the state before.</param>
    public KeyChange ChangeFrom(StateKind former)
    {
        var change = new KeyChange { ReplacesObject = Kind != StateKind.Value || MarkOf(former) is not null };
        if (HasValue)
            change.Set(SubKey.Root, Bytes);
        if (MarkOf(Kind) is { } mark)
            change.Set(mark, default);
        return change;
    }

    /// <summary>Reads the parts that a read has found.</summary>
    /// <param name="exists">Whether the store has the key.</param>
    /// <param name="parts">The key's parts.</param>
    /// <param name="state">The state; absent if the parts are not those of a grain's state.</param>
    /// <returns>Whether the parts are those of a state.</returns>
    public static bool TryRead(bool exists, IReadOnlyList<StoredPart> parts, out StoredState state)
    {
        state = Absent;
        if (!exists)
            return true;
        var kind = KindOf(parts);
        // A facet that has removed its last part leaves an object without parts, which counts as cleared.
        if (parts.Count == 0 || (kind == StateKind.Cleared && parts.Count == 1))
            state = Cleared;
        else if (kind != StateKind.Cleared && parts.Count == (kind == StateKind.Copied ? 2 : 1))
            state = parts.Where(static part => part.SubKey.IsRoot).Select(part => new StoredState(kind, part.Value)).FirstOrDefault(Absent);
        return state.Kind != StateKind.Absent;
    }
}
