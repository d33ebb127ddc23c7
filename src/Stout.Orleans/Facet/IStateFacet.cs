namespace Stout.Orleans.Facet;

/// <summary>A state whose undurable changes hold replies back.</summary>
internal interface IStateFacet
{
    /// <summary>The number of the last change.</summary>
    long LastChange { get; }

    /// <summary>Whether the key is closed and the outcome of all changes is known. Otherwise the grain's memory may be ahead of the store.</summary>
    bool IsSettled { get; }

    /// <summary>The size of the state in memory, in serialized bytes.</summary>
    long Bytes { get; }

    /// <summary>Completes when a reply that rests on the state may leave.</summary>
    /// <param name="before">
    /// The number of the last change before the call began. If the wait fails, the error tells the outcome of the changes with larger numbers.
    /// </param>
    ValueTask MayReplyAsync(long before);
}
