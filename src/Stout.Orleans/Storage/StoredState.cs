using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>A state as it was read, or as it is to be written.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Bytes">The serialized value; empty without one.</param>
internal readonly record struct StoredState(StateKind Kind, ReadOnlyMemory<byte> Bytes = default)
{
    /// <summary>The part that marks a cleared state. Parts of states never begin with this character.</summary>
    public static readonly SubKey ClearedMark = new("$cleared");

    public static StoredState Cleared => new(StateKind.Cleared);

    public static StoredState Absent => new(StateKind.Absent);

    /// <summary>Reads what a fill has brought.</summary>
    /// <param name="filled">The key's parts.</param>
    /// <param name="state">The state; absent if the parts are not those of a grain's state.</param>
    /// <returns>Whether the parts are those of a state.</returns>
    public static bool TryRead(FilledKey filled, out StoredState state)
    {
        state = Absent;
        if (!filled.Exists)
            return true;
        if (filled.Parts.Count != 1)
            return false;
        var part = filled.Parts[0];
        if (part.SubKey == ClearedMark)
            state = Cleared;
        else if (part.SubKey.IsRoot)
            state = new StoredState(StateKind.Value, part.Value);
        return state.Kind != StateKind.Absent;
    }
}
