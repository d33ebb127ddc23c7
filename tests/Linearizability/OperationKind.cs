namespace Linearizability;

/// <summary>The effect of an operation on its register, in one step.</summary>
public enum OperationKind
{
    /// <summary>Leaves the value as it is.</summary>
    Read,

    /// <summary>Puts <see cref="Operation.Value"/> in the place of any value.</summary>
    Write,

    /// <summary>Puts <see cref="Operation.Value"/> in the place of <see cref="Operation.Expected"/>, and leaves any other value as it is.</summary>
    Change,
}
