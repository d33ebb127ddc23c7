namespace Stout.Orleans;

/// <summary>The outcome of the erasure of one state.</summary>
public enum ErasureOutcome
{
    /// <summary>The store had no data of the state.</summary>
    Absent,

    /// <summary>The store had the state, and has it no more.</summary>
    Erased,

    /// <summary>The state may still be in the store, for the reason in <see cref="ErasedState.Error"/>. Erase it again.</summary>
    Failed,
}
