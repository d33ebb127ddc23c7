namespace Stout.Orleans.Tests.Duplicates;

/// <summary>The state when the newer owner reads it.</summary>
public enum Found
{
    /// <summary>The older owner has written it.</summary>
    Written,

    /// <summary>The older owner has read that it is absent.</summary>
    Absent,

    /// <summary>As <see cref="Absent"/>, and the store has removed the key's header since.</summary>
    Swept,
}
