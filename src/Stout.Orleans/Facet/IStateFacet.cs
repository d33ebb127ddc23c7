namespace Stout.Orleans.Facet;

/// <summary>A state on which replies wait.</summary>
internal interface IStateFacet
{
    /// <summary>The number of the last change.</summary>
    long LastChange { get; }

    /// <summary>Completes when a reply that rests on the state may leave.</summary>
    /// <param name="before">The last change before the call began. The error of a call tells the outcome of the changes after it.</param>
    ValueTask MayReplyAsync(long before);
}
