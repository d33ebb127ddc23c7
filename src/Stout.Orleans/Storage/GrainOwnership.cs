namespace Stout.Orleans;

/// <summary>How a provider protects the states of grains against a second activation of the same grain.</summary>
public enum GrainOwnership
{
    /// <summary>
    /// An activation claims the key of its state when it reads it first. From then on the store refuses the writes of any former activation.
    /// </summary>
    Claim,

    /// <summary>
    /// No claims: a write is refused only if the state was written since it was read, as Orleans' other providers do. A second activation may read a
    /// state, and a former one write it afterwards.
    /// </summary>
    None,
}
