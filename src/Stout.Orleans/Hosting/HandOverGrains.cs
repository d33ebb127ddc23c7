namespace Stout.Orleans;

/// <summary>
/// The grains that a stopping silo hands over. Stateless workers, Orleans' own grains and classes with Orleans' <c>[Immovable]</c> stop as without a
/// hand-over.
/// </summary>
public enum HandOverGrains
{
    /// <summary>Grains of classes that declare a state in a Stout grain storage.</summary>
    WithStoutState,

    /// <summary>All grains of the application.</summary>
    Application,
}
