namespace Stout.Orleans.Tests.Duplicates;

/// <summary>The condition of a grain's state when the newer owner first reads it.</summary>
public enum Found
{
    /// <summary>The older owner has written the state.</summary>
    Written,

    /// <summary>The older owner has read the state, and found it absent.</summary>
    Absent,

    /// <summary>As <see cref="Absent"/>, and the store has removed the key's header since.</summary>
    Swept,
}
