namespace Stout.Orleans;

/// <summary>How a provider protects the states of grains against a second activation of the same grain.</summary>
public enum GrainOwnership
{
    /// <summary>
    /// An activation claims the key of its state when it first reads the state. From then on the store refuses the writes of any former activation.
    /// </summary>
    Claim,

    /// <summary>
    /// No claims: a write is refused only if the state was written since it was read, as with Orleans' other providers. A former activation may still
    /// write a state after a second one has read it.
    /// </summary>
    None,
}
