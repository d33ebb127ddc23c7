namespace Stout.Orleans.Facet;

/// <summary>A state whose undurable changes hold replies back.</summary>
internal interface IStateFacet
{
    /// <summary>The number of the last change.</summary>
    long LastChange { get; }

    /// <summary>Completes when a reply that rests on the state may leave.</summary>
    /// <param name="before">
    /// The number of the last change before the call began. If the wait fails, the error tells the outcome of the changes with larger numbers.
    /// </param>
    ValueTask MayReplyAsync(long before);
}
